// A check of some emails from the policy to the report, once or at every change.
import { statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { countsOf, hasPassed, plural, writeReport, type Report } from '../../../engines/reports/index.ts';
import { policyFrom, rulesOf } from '../../../features/proof/gate/index.ts';
import type { Policy } from '../../../engines/gate/index.ts';
import { AppError, messageOf } from '../../../platform/errors/index.ts';
import type { Lists } from '../../../platform/ports/index.ts';
import { VERSION } from '../../version.ts';
import { changedEmails } from './changed-emails.ts';
import { checkAll } from './check-all.ts';
import type { CheckedEmail } from './check-email.ts';
import { openDoors } from './doors.ts';
import { findEmails, isWatchedName } from './find-emails.ts';
import { fixFile } from './fix-file.ts';
import { NotMade } from '../sources/make-email.ts';
import { readMergeData } from '../merge-data.ts';
import { exitCodeOfSignal, untilSignal } from '../interrupt.ts';
import { tell } from '../tell.ts';
import { isFixable, type CheckOptions } from './options.ts';
import { watchFiles } from './watch-files.ts';
import { UsageError } from '../usage.ts';

type Doors = Awaited<ReturnType<typeof openDoors>>;

export const POLICY_FILE = 'galley.policy.json';
const PASSED = 0;
const FAILED = 1;
const COULD_NOT_RUN = 2;

/**
 * The policy named, or the one of this folder; the default where there is none. Throws {@link UsageError} naming file
 * and field.
 */
export async function readPolicyFile(
  given: string | undefined,
  lists: Lists,
): Promise<{ policy: Policy; path: string | undefined }> {
  const rules = rulesOf({ lists });
  const path = resolve(given ?? POLICY_FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (given === undefined && error.code === 'ENOENT') return undefined;
    throw new UsageError(`The policy ${given ?? POLICY_FILE} cannot be read: ${messageOf(error)}`);
  });
  if (text === undefined) return { policy: policyFrom({}, rules), path: undefined };
  try {
    return { policy: policyFrom(JSON.parse(text), rules), path };
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new UsageError(`The policy ${given ?? POLICY_FILE} is not valid JSON: ${error.message}`);
    if (error instanceof AppError) throw new UsageError(`${given ?? POLICY_FILE}: ${error.message}`);
    throw error;
  }
}

/** A finding or a limit speaks about the email; a check that could not run does not. */
function exitCodeOf(checked: readonly CheckedEmail[]): number {
  if (checked.every(({ report }) => hasPassed(report))) return PASSED;
  const isJudged = checked.some(
    ({ report, limits }) =>
      countsOf(report.checks).failing > 0 || limits.some(({ passed, value }) => !passed && value !== null),
  );
  return isJudged ? FAILED : COULD_NOT_RUN;
}

function hasColors(output: string | undefined): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (output !== undefined || NO_COLOR) return false;
  return FORCE_COLOR ? FORCE_COLOR !== '0' : process.stdout.isTTY === true && TERM !== 'dumb';
}

async function writeFileOf(flag: string, output: string, text: string): Promise<void> {
  await writeFile(output, text).catch((error: unknown) => {
    throw new UsageError(`${flag} ${output} cannot be written: ${messageOf(error)}`);
  });
}

async function write(
  checked: readonly CheckedEmail[],
  { format, output, also }: CheckOptions,
  durationMs: number,
): Promise<void> {
  const report: Report = {
    tool: { name: 'Galley', version: VERSION },
    emails: checked.map(({ report: email }) => email),
    durationMs,
  };
  const text = writeReport(format, report, { color: hasColors(output) });
  if (output === undefined) process.stdout.write(text);
  else {
    await writeFileOf('--output', output, text);
    tell(`${report.emails.every(hasPassed) ? 'PASS' : 'FAIL'}  the report is in ${output}`);
  }
  for (const one of also) await writeFileOf('--also', one.output, writeReport(one.format, report));
}

/** All of them, or with `--changed` those that did. Throws {@link UsageError}. */
async function chosenOf(all: readonly string[], { changedSince, ...given }: CheckOptions): Promise<readonly string[]> {
  if (changedSince === undefined) return all;
  const chosen = await changedEmails(all, { ...given, changedSince });
  tell(`${chosen.length} of ${plural(all.length, 'email')} changed since ${changedSince}.`);
  return chosen;
}

/** Checks everything once and writes one report. */
async function checkOnce(
  { outside }: Doors,
  options: CheckOptions,
  signal: AbortSignal,
): Promise<{ code: number; paths: string[]; folders: string[] }> {
  const started = performance.now();
  const { policy, path } = await readPolicyFile(options.policyPath, outside.lists);
  const data = await readMergeData(options.dataPath);
  const { sources: all, folders } = await findEmails(options.sources, options);
  const sources = await chosenOf(all, { ...options, policyPath: path ?? resolve(POLICY_FILE) });
  if (options.isFixing) await fixFiles(sources, options);
  const checked = await checkAll(outside, sources, { options, policy, data, signal });
  await write(checked, options, performance.now() - started);
  for (const { approved, baselineFolder } of checked)
    if (options.isApproving) tell(`${approved} pictures were approved: ${baselineFolder}`);
  return {
    code: exitCodeOf(checked),
    folders: [...folders, ...checked.flatMap((one) => one.folders)],
    paths: [...checked.flatMap(({ paths }) => paths), ...(path === undefined ? [] : [path])],
  };
}

async function fixFiles(sources: readonly string[], options: CheckOptions): Promise<void> {
  const strange = sources.find((source) => !isFixable(source, options.type));
  if (strange !== undefined) throw new UsageError(`--fix writes HTML files; ${strange} is none.`);
  for (const source of sources) tell(await fixFile(source, options));
}

/**
 * Again at every change, until it is stopped. A file that cannot be read while it is being written is reported, and the
 * check waits.
 */
async function checkAgain(doors: Doors, options: CheckOptions): Promise<number> {
  const files = watchFiles();
  const stopped = new AbortController();
  let stoppedBy: NodeJS.Signals = 'SIGINT';
  const stop = (signal: NodeJS.Signals): void => {
    stoppedBy = signal;
    stopped.abort();
    files.close();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const asked = [
    ...options.sources,
    options.policyPath ?? POLICY_FILE,
    ...(options.dataPath === undefined ? [] : [options.dataPath]),
  ].map((path) => resolve(path));
  // Before the first check: a change while it runs is not lost.
  let folders = asked.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
  let watched: string[] = [];
  const watch = (): void => files.set([...asked, ...watched], { folders, isWanted: isWatchedName });
  watch();
  let code: number | undefined;
  let isFirst = true;
  do {
    // Editors take this line for the beginning of a round.
    if (!isFirst) tell('Checking again …');
    isFirst = false;
    try {
      const done = await checkOnce(doors, options, stopped.signal);
      code = done.code;
      watched = done.paths;
      folders = done.folders.map((folder) => resolve(folder));
      watch();
    } catch (error) {
      if (stopped.signal.aborted) break;
      if (!(error instanceof UsageError || error instanceof AppError)) throw error;
      code = COULD_NOT_RUN;
      tell(messageOf(error));
      if (error instanceof NotMade) {
        watched = [...new Set([...watched, ...error.files])];
        folders = [...new Set([...folders, ...error.folders])];
        watch();
      }
    }
    if (!stopped.signal.aborted) tell('\nWatching for changes; Ctrl-C ends it.');
  } while (await files.changed());
  return code ?? exitCodeOfSignal(stoppedBy);
}

/** Returns the exit code; throws {@link UsageError}. */
export async function runCheck(options: CheckOptions, lists: Lists): Promise<number> {
  try {
    await readPolicyFile(options.policyPath, lists);
    await readMergeData(options.dataPath);
    // A watched file may still be on its way.
    if (!options.isWatching) await findEmails(options.sources, options);
    const opening = openDoors(lists);
    const close = (): Promise<void> =>
      opening.then(
        (doors) => doors.close(),
        () => undefined,
      );
    if (options.isWatching) return await opening.then((doors) => checkAgain(doors, options)).finally(close);
    return await untilSignal(async (signal) => (await checkOnce(await opening, options, signal)).code, close);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    tell(
      process.env['GALLEY_LOG_LEVEL'] === 'debug' && error instanceof Error
        ? (error.stack ?? error.message)
        : messageOf(error),
    );
    return COULD_NOT_RUN;
  }
}
