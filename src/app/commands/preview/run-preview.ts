// What `galley preview` does when its command line can be read.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CLIENTS } from '../../../engines/client-emulation/index.ts';
import { computeHere } from '../../../platform/compute/index.ts';
import { readConfig } from '../../../platform/config/index.ts';
import { openBrowser } from '../../../platform/browser/index.ts';
import { messageOf } from '../../../platform/errors/index.ts';
import { createAddressesOf } from '../../../platform/dns/index.ts';
import { createFetch } from '../../../platform/fetch/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import {
  chooseClients,
  featuresOf,
  PANE_WIDTHS,
  profileOf,
  shotNames,
  undecidedIn,
  undecidedName,
} from '../../../features/proof/previews/index.ts';
import { inboxOfMessage } from '../../../features/proof/preview-inbox/index.ts';
import { VERSION } from '../../version.ts';
import { contactSheet, type SheetEntry } from '../contact-sheet.ts';
import { readLocalSource } from '../local-source.ts';
import { readMergeData } from '../merge-data.ts';
import { untilSignal } from '../interrupt.ts';
import { progressBar } from '../progress.ts';
import type { PreviewOptions } from '../preview.ts';
import { UsageError } from '../usage.ts';
import { drawAll, replaceFile, type Drawn, type Outcome } from './draw-all.ts';
import { prepareSource } from './prepare-source.ts';

/** Prints the clients that can be named. Returns the exit code. */
export function listClients(): number {
  for (const client of CLIENTS)
    process.stdout.write(`${client.id.padEnd(28)} ${client.default ? '*' : ' '} ${client.displayName}\n`);
  process.stdout.write('\n* is shown when no clients are named\n');
  return 0;
}

interface Told extends Outcome {
  subject: string;
  seconds: number;
  /** The features that the message uses. */
  used: UsedFeatures;
  /** How it looks before it is opened; undefined where nobody asked. */
  inbox?: Awaited<ReturnType<typeof inboxOfMessage>> | undefined;
}

/** Standard output has what was made, standard error what was not. */
function tell(told: Told, { json, out }: { json: boolean; out: string }): void {
  const { made, distinct, seconds, failed } = told;
  const said = `${made.length} pictures (${distinct} distinct) in ${seconds.toFixed(1)} s → ${join(out, 'index.html')}`;
  process.stdout.write(`${json ? reportOf(told) : [said, ...problemsOf(made)].join('\n')}\n`);
  for (const { clientId, shot, reason } of failed) process.stderr.write(`${clientId} (${shot}): ${reason}\n`);
}

/** Each fault of the pictures once, with the clients that show it. */
function problemsOf(made: readonly Drawn[]): string[] {
  const all = made.flatMap(({ clientId, shot, findings = [] }) =>
    shot === 'no_images' ? [] : findings.map((finding) => ({ clientId, finding })),
  );
  const problems = [...Map.groupBy(all, ({ finding }) => `${finding.severity} ${finding.message}`).values()];
  const unmeasured = new Set(made.filter(({ isMeasured }) => isMeasured !== true).map(({ clientId }) => clientId)).size;
  return [
    ...(problems.length > 0 ? ['', 'Problems measured in the pictures:'] : []),
    ...problems
      .toSorted((one, other) => other.length - one.length)
      .map((same) => {
        const { severity, message } = same[0]!.finding;
        const clients = [...new Set(same.map(({ clientId }) => profileOf(clientId).displayName))];
        const others = clients.length > 3 ? ` and ${clients.length - 3} more` : '';
        return `  ${severity === 'error' ? '✖' : '⚠'} ${message} (${clients.slice(0, 3).join(', ')}${others})`;
      }),
    ...(unmeasured > 0 ? ['', `  Not measured, or not whole, in ${unmeasured} of the clients.`] : []),
  ];
}

type UsedFeatures = Awaited<ReturnType<typeof featuresOf>>;

function sheetEntry(entry: Drawn, used: UsedFeatures): SheetEntry {
  const profile = profileOf(entry.clientId);
  const undecided = undecidedIn(used, profile, entry.fidelity)?.map(undecidedName) ?? null;
  return { ...entry, title: profile.displayName, family: profile.family, undecided };
}

interface SheetOf {
  out: string;
  subject: string;
  used: UsedFeatures;
  /** Pictures that were asked for. */
  total: number;
}

/** Writes the contact sheet of what is drawn. */
function sheetWriter({ out, subject, used, total }: SheetOf) {
  return (drawn: readonly Drawn[], isDone = false): Promise<void> => {
    const entries = drawn.map((one) => sheetEntry(one, used));
    const sheet = contactSheet(subject, entries, isDone ? undefined : { total, at: new Date() });
    return replaceFile(join(out, 'index.html'), sheet);
  };
}

/** What `--json` prints. */
function reportOf({ subject, seconds, made, failed, distinct, used, inbox }: Told): string {
  const clients = made.map(({ rendering, clientId, isMeasured, ...rest }) => ({
    client: clientId,
    ...rest,
    undecided: undecidedIn(used, profileOf(clientId), rest.fidelity),
    findings_measured: isMeasured === true,
    width: rendering.width,
    height: rendering.height,
    is_cut: rendering.isCut,
  }));
  return JSON.stringify({ subject, seconds, distinct_pictures: distinct, clients, failed, inbox }, null, 2);
}

/** Throws {@link UsageError} for clients that there are none of. */
export function clientsOf(list: string | undefined): string[] {
  const { clientIds, warnings } = chooseClients(
    list
      ?.split(',')
      .map((id) => id.trim())
      .filter(Boolean),
  );
  if (warnings.length === 0) return clientIds;
  const said = warnings.map((warning) => warning.message).join('\n');
  throw new UsageError(`${said}\n\`galley preview --list\` shows the clients.`);
}

/** Throws {@link UsageError} for a width that no reading pane can have. */
function paneWidthOf(given: string | undefined): number | null {
  if (given === undefined) return null;
  const { min, max } = PANE_WIDTHS;
  const width = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (width >= min && width <= max) return width;
  throw new UsageError(`--pane-width must be a number of CSS pixels from ${min} to ${max}, not "${given}".`);
}

/** Makes the pictures and a contact sheet. Returns the exit code; throws {@link UsageError}. */
export async function runPreview(source: string, given: PreviewOptions): Promise<number> {
  const clientIds = clientsOf(given.clients);
  const paneWidth = paneWidthOf(given['pane-width']);
  const data = await readMergeData(given.data);
  const config = readConfig(process.env);
  const log = createLog('error');
  const started = performance.now();
  const fetch = createFetch({
    allowHosts: config.fetch.allowHosts,
    resolver: createAddressesOf(config.dns.servers),
    userAgent: `Galley/${VERSION} (email preview)`,
  });
  const local = await readLocalSource(source, fetch, { ...given, data });
  const { loaded } = local;
  await mkdir(given.out, { recursive: true }).catch((error: unknown) => {
    throw new UsageError(`--out ${given.out} cannot be used: ${messageOf(error)}`);
  });
  const browser = await openBrowser({
    chromiumPath: config.render.chromiumPath,
    thunderbirdPath: config.render.thunderbirdPath,
    size: config.render.browsers,
    optionalEngines: config.render.engines,
    effort: config.render,
    log,
  });
  const draw = async (signal: AbortSignal): Promise<number> => {
    const { prepared } = await prepareSource({ fetch, config }, local, signal);
    const used = await featuresOf({ compute: computeHere }, prepared.html, signal);
    const wanted = clientIds.flatMap((clientId) =>
      shotNames({ imageBlocking: given['no-images'] }, profileOf(clientId)).map((shot) => ({ clientId, shot })),
    );
    const bar = progressBar(wanted.length, given.json);
    const subject = loaded.subject || source;
    const writeSheet = sheetWriter({ out: given.out, subject, used, total: wanted.length });
    const outcome = await drawAll(
      { browser, config },
      { wanted, prepared, paneWidth, out: given.out, tick: bar.tick, writeSheet },
    );
    bar.end();
    await writeSheet(outcome.made, true);
    const seconds = (performance.now() - started) / 1000;
    const inbox = given.json ? await inboxOfMessage({ compute: computeHere }, { ...loaded, clientIds }) : undefined;
    tell({ subject: loaded.subject, seconds, used, inbox, ...outcome }, given);
    return outcome.failed.length ? 1 : 0;
  };
  return untilSignal(draw, async () => {
    await browser.close();
    fetch.close();
  });
}
