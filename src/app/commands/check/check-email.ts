// One email, read from where it lies, checked and judged.
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { EmailReport } from '../../../engines/reports/index.ts';
import type { MergeData } from '../../../engines/mail-template/index.ts';
import { judgeGate, type GateRules, type LimitOutcome, type Policy } from '../../../engines/gate/index.ts';
import { readSource, storable, type StoredSource } from '../../../features/proof/_message/index.ts';
import {
  checksFrom,
  clientsFrom,
  rulesOf,
  runChecks,
  type GateDoors,
  type GateRun,
} from '../../../features/proof/gate/index.ts';
import { AppError, messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { FetchError } from '../../../platform/fetch/index.ts';
import { fillSubject } from '../merge-data.ts';
import { readEmailFile } from '../email-file.ts';
import { nameOfPath, STANDARD_INPUT, type MessageKind } from '../message-file.ts';
import type { MadeEmail } from '../sources/make-email.ts';
import { isMade } from '../sources/source-kinds.ts';
import { UsageError } from '../usage.ts';
import { atSources } from './at-sources.ts';
import { folderOf, openBaselineDir } from './baseline-dir.ts';
import { FOLDER_URL } from '../folder-files.ts';
import { folderFetch, type FolderFetch } from './folder-fetch.ts';
import type { CheckOptions } from './options.ts';

export interface CheckedEmail {
  report: EmailReport;
  limits: readonly LimitOutcome[];
  /** Files that the outcome depends on. */
  paths: string[];
  /** Folders in which any file may be part of it. */
  folders: string[];
  approved: number;
  /** The folder of its pictures. */
  baselineFolder: string | undefined;
  durationMs: number;
}

function nameOf(source: string): string {
  if (/^https?:/i.test(source)) return source;
  return source === STANDARD_INPUT ? 'stdin' : nameOfPath(source);
}

interface Given {
  type: MessageKind | undefined;
  data: MergeData | undefined;
}

/** What is made from a source has its data already. */
async function bodyOf(
  source: string,
  { type, data }: Given,
): Promise<{ body: Parameters<typeof readSource>[1]; made?: MadeEmail | undefined }> {
  const filling = data && { data };
  if (/^https?:/i.test(source)) return { body: { url: source, ...filling } };
  const isFilled = isMade(source, type);
  const { kind, bytes, html, made } = await readEmailFile(source, { type, data: isFilled ? data : undefined });
  const email = kind === 'eml' ? { mime: bytes.toString('base64'), transfer_encoding: 'base64' as const } : { html };
  return { body: { ...email, ...(!isFilled && filling) }, made };
}

/** Errors name the email: several may be checked. */
async function read(
  outside: Pick<Outside, 'fetch' | 'compute'>,
  source: string,
  given: Given,
): Promise<{ stored: StoredSource; made?: MadeEmail | undefined }> {
  try {
    const { body, made } = await bodyOf(source, given);
    return { stored: storable(await readSource(outside, body)), made };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (!(error instanceof AppError)) throw new UsageError(`${source} cannot be read: ${messageOf(error)}`);
    const isPrivate = error.cause instanceof FetchError && error.cause.reason === 'refused';
    // The command uses the caller's own network, so that naming hosts reveals nothing to strangers.
    throw new AppError(
      error.code,
      isPrivate
        ? `${source} is refused: its host is not public. GALLEY_ALLOW_HOSTS=${new URL(source).host} allows it.`
        : `${source}: ${error.message}`,
      { cause: error },
    );
  }
}

function checksOf(options: CheckOptions, rules: GateRules): string[] {
  return checksFrom(
    options.checks && options.baselineDir !== undefined && !options.checks.includes('screenshots')
      ? [...options.checks, 'screenshots']
      : options.checks,
    { rules, hasPictures: options.baselineDir !== undefined },
  );
}

/** What the emails of one run share. */
export interface CheckRunContext {
  options: CheckOptions;
  policy: Policy;
  /** In place of merge tags. */
  data: MergeData | undefined;
  signal: AbortSignal;
  /** Checks of the same content, which are made once. */
  known: Map<string, Promise<{ run: GateRun; paths: readonly string[] }>>;
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/**
 * All messages belong to one caller: a separate browser context per message would take a tenth of the time of a run.
 */
const SCOPE = 'check';

/** Equal for what has the same findings: the same content, where relative addresses mean the same files. */
function digestOf({ kind, url, body }: StoredSource, folder: string | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, url, folder ?? null]))
    .update('\0')
    .update(body)
    .digest('hex');
}

/** Checks one email. Throws {@link UsageError} or `AppError` when there is nothing to check. */
export async function checkEmail(outside: GateDoors, source: string, given: CheckRunContext): Promise<CheckedEmail> {
  const { options, policy, data, signal, known, inTurn } = given;
  const started = performance.now();
  const email = nameOf(source);
  const { stored, made } = await read(outside, source, { type: options.type, data });
  const folder = stored.kind === 'html' ? await realpath(dirname(source)) : undefined;
  const subject = await fillSubject(options.subject, data);
  const rules = rulesOf(outside);
  const checks = checksOf(options, rules);
  const baselineFolder =
    options.baselineDir === undefined
      ? undefined
      : folderOf(options.baselineDir, email.startsWith('/') ? basename(email) : email);
  const baselines = openBaselineDir(baselineFolder ?? '', options);
  const clients = checks.includes('screenshots') ? clientsFrom(options.clients, await baselines.clients()) : [];
  const digest = digestOf(stored, folder);
  const check = async (): Promise<{ run: GateRun; paths: readonly string[] }> => {
    const fetch: FolderFetch | undefined = folder === undefined ? undefined : folderFetch(outside.fetch, folder);
    const input = {
      source: stored,
      checks,
      policy,
      clients,
      ...(subject !== undefined && { subject }),
      ...(fetch && { beside: { baseUrl: FOLDER_URL, has: fetch.has } }),
    };
    const run = await runChecks({ ...outside, fetch: fetch ?? outside.fetch }, input, {
      id: SCOPE,
      version: 1,
      signal,
      doors: baselines.doors,
      inTurn,
    });
    return { run, paths: [...(fetch?.paths ?? [])] };
  };
  // Pictures are held against files of each email's own.
  const checked = clients.length ? check() : (known.get(digest) ?? check());
  if (!clients.length) known.set(digest, checked);
  const {
    run: { runs, measures },
    paths,
  } = await checked;
  const {
    verdict,
    checks: reports,
    limits,
  } = judgeGate(runs, { policy, rules, measures, today: outside.clock.now().toISOString().slice(0, 10) });
  return {
    report: { email, verdict, checks: made ? atSources(reports, { made, source }) : reports },
    limits,
    paths:
      stored.kind === 'url' || source === STANDARD_INPUT ? [] : [resolve(source), ...(made?.files ?? []), ...paths],
    folders: made?.folders ?? [],
    approved: baselines.approved(),
    baselineFolder,
    durationMs: performance.now() - started,
  };
}
