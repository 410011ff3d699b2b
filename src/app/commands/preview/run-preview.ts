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
import { collectAssets } from '../../../features/proof/_message/index.ts';
import { chooseClients, prepareMessage, profileOf, shotNames } from '../../../features/proof/previews/index.ts';
import { VERSION } from '../../version.ts';
import { contactSheet, type SheetEntry } from '../contact-sheet.ts';
import { readLocalSource } from '../local-source.ts';
import { readMergeData } from '../merge-data.ts';
import { untilSignal } from '../interrupt.ts';
import { progressBar } from '../progress.ts';
import type { PreviewOptions } from '../preview.ts';
import { UsageError } from '../usage.ts';
import { drawAll, replaceFile, type Drawn, type Outcome } from './draw-all.ts';

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
}

/** Standard output has what was made, standard error what was not. */
function tell(told: Told, { json, out }: { json: boolean; out: string }): void {
  const { made, distinct, seconds, failed } = told;
  const said = `${made.length} pictures (${distinct} distinct) in ${seconds.toFixed(1)} s → ${join(out, 'index.html')}`;
  process.stdout.write(`${json ? reportOf(told) : said}\n`);
  for (const { clientId, shot, reason } of failed) process.stderr.write(`${clientId} (${shot}): ${reason}\n`);
}

function sheetEntry(entry: Drawn): SheetEntry {
  const { displayName, family } = profileOf(entry.clientId);
  return { ...entry, title: displayName, family };
}

/** What `--json` prints. */
function reportOf({ subject, seconds, made, failed, distinct }: Told): string {
  const clients = made.map(({ rendering, clientId, ...rest }) => ({
    client: clientId,
    ...rest,
    width: rendering.width,
    height: rendering.height,
    is_cut: rendering.isCut,
  }));
  return JSON.stringify({ subject, seconds, distinct_pictures: distinct, clients, failed }, null, 2);
}

/** Throws {@link UsageError} for clients that there are none of. */
function clientsOf(list: string | undefined): string[] {
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

/** Makes the pictures and a contact sheet. Returns the exit code; throws {@link UsageError}. */
export async function runPreview(source: string, given: PreviewOptions): Promise<number> {
  const clientIds = clientsOf(given.clients);
  const data = await readMergeData(given.data);
  const config = readConfig(process.env);
  const log = createLog('error');
  const started = performance.now();
  const fetch = createFetch({
    allowHosts: config.fetch.allowHosts,
    resolver: createAddressesOf(config.dns.servers),
    userAgent: `Galley/${VERSION} (email preview)`,
  });
  const { loaded, inFolder } = await readLocalSource(source, fetch, { ...given, data });
  await mkdir(given.out, { recursive: true }).catch((error: unknown) => {
    throw new UsageError(`--out ${given.out} cannot be used: ${messageOf(error)}`);
  });
  const browser = await openBrowser({
    chromiumPath: config.render.chromiumPath,
    size: config.render.browsers,
    optionalEngines: config.render.engines,
    effort: config.render,
    log,
  });
  const draw = async (signal: AbortSignal): Promise<number> => {
    const assets = new Map([
      ...(await collectAssets(
        { fetch, compute: computeHere },
        loaded,
        AbortSignal.any([signal, AbortSignal.timeout(60_000)]),
      )),
      ...(await inFolder()),
    ]);
    const prepared = await prepareMessage({ compute: computeHere, config }, loaded, assets);
    const wanted = clientIds.flatMap((clientId) =>
      shotNames({ imageBlocking: given['no-images'] }, profileOf(clientId)).map((shot) => ({ clientId, shot })),
    );
    const bar = progressBar(wanted.length, given.json);
    const subject = loaded.subject || source;
    const writeSheet = (drawn: readonly Drawn[], isDone = false): Promise<void> =>
      replaceFile(
        join(given.out, 'index.html'),
        contactSheet(subject, drawn.map(sheetEntry), isDone ? undefined : { total: wanted.length, at: new Date() }),
      );
    const outcome = await drawAll(
      { browser, config },
      { wanted, prepared, out: given.out, tick: bar.tick, writeSheet },
    );
    bar.end();
    await writeSheet(outcome.made, true);
    const seconds = (performance.now() - started) / 1000;
    tell({ subject: loaded.subject, seconds, ...outcome }, given);
    return outcome.failed.length ? 1 : 0;
  };
  return untilSignal(draw, async () => {
    await browser.close();
    fetch.close();
  });
}
