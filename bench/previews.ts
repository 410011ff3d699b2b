// Whole preview tests in all default clients, of three messages, beside the floor: the same distinct documents in bare
// pages of as many browsers, with the protocol calls of the renderer and nothing of the service. The floor is measured
// with both ways to load: every document by a navigation, and `Page.setDocumentContent` from a page's second one on.
//
// GALLEY_TEST_MAILS: names (long, ordinary, small) or HTML files, commas between. GALLEY_TEST_ROUNDS: default 3.
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startGalley, type Galley } from '../src/app/serve.ts';
import { CLIENTS, defaultClientIds } from '../src/engines/client-emulation/index.ts';
import { findChromium } from '../src/platform/browser/chromium/install.ts';
import { createChromiumStarter } from '../src/platform/browser/chromium/start.ts';
import { findFontsConf } from '../src/platform/browser/fonts/fonts.ts';
import { memoryOfTree } from '../src/platform/browser/guard/process-tree.ts';
import type { RenderRequest } from '../src/platform/browser/index.ts';
import { readConfig } from '../src/platform/config/index.ts';
import { createLog } from '../src/platform/log/index.ts';
import { openBarePages, type BarePages } from './bare-pages.ts';
import { distinctDocuments, type Distinct } from './distinct-documents.ts';
import { measure, median, type Measured } from './measure.ts';
import { benchMail, mailNames, type BenchMail } from './previews-mails.ts';
import { FREE_PORTS } from '../test/harness/program.ts';
import { call, KEY } from './service.ts';

const ROUNDS = Number(process.env['GALLEY_TEST_ROUNDS'] ?? 3);
const ONE_CLIENT_ROUNDS = 7;
const RUNTIME_DIR = join(import.meta.dirname, '../.runtime');
/** As often as the dashboard asks where it has no events. */
const ASK_MS = 250;
const LOOK_MS = 200;
/** What is left to do after the last picture (samples for comparisons, the test's deletion) is over by then. */
const AFTERWARDS_MS = 2_000;
/** How long the service is looked at while it has nothing to do. */
const REST_MS = 8_000;

let statements = 0;

/** Counts what goes to the database, at its driver. */
function countStatements(): void {
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  pg.Client.prototype.query = function counted(this: unknown, ...args: unknown[]) {
    statements += 1;
    return query.apply(this, args);
  } as never;
}

interface Timed {
  id: string;
  /** Milliseconds from POST: the first client's first screen, the last one's, the last whole picture. */
  firstMs: number;
  screensMs: number;
  allMs: number;
  statements: number;
  /** Times that the status was asked for, whose statements are not counted. */
  asked: number;
}

/** From POST until every client is completed; what came when is read from the rows. */
async function wholeTest(galley: Galley, html: string, clients: string[]): Promise<Timed> {
  const before = statements;
  const start = Date.now();
  const { id } = await call(galley, 'POST /v2/preview/tests', {
    body: { subject: 'The spring list', html, clients },
  });
  let [asked, spent] = [0, 0];
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
    asked += 1;
    const info = await call(galley, `GET /v2/preview/tests/${id}`);
    if (info.bounced.length > 0) throw new Error(`Bounced: ${info.bounced.join(', ')}`);
    if (info.processing.length === 0) break;
  }
  const total = statements - before;
  const idle = statements;
  await call(galley, `GET /v2/preview/tests/${id}`);
  spent = statements - idle;
  const rows = await galley.outside.db.ofAnyone
    .selectFrom('previewResults')
    .innerJoin('previewShots', (join) =>
      join
        .onRef('previewShots.testId', '=', 'previewResults.testId')
        .onRef('previewShots.clientId', '=', 'previewResults.clientId'),
    )
    .innerJoin('previewRenders', (join) =>
      join
        .onRef('previewRenders.testId', '=', 'previewShots.testId')
        .onRef('previewRenders.key', '=', 'previewShots.key'),
    )
    .select(['previewResults.completedAt', 'previewRenders.previewAt'])
    .where('previewResults.testId', '=', id)
    .where('previewShots.shot', '=', 'default')
    .execute();
  const since = (at: Date | null): number => (at ? at.getTime() - start : Number.NaN);
  const screens = rows.map(({ previewAt }) => since(previewAt));
  return {
    id,
    firstMs: Math.min(...screens),
    screensMs: Math.max(...screens),
    allMs: Math.max(...rows.map(({ completedAt }) => since(completedAt))),
    statements: total - asked * spent,
    asked,
  };
}

/** The most that this process and all below it hold while the work is done, in bytes: shared pages count once. */
async function peakMemory(work: Promise<unknown>): Promise<number> {
  const over = work.then(() => true);
  let peak = 0;
  do peak = Math.max(peak, (await memoryOfTree(process.pid)) ?? Number.NaN);
  while (!(await Promise.race([over, new Promise((resolve) => setTimeout(resolve, LOOK_MS))])));
  return peak;
}

/** What the service takes in a second without any work: it looks for mail to send, for events, for webhooks. */
interface AtRest {
  statements: number;
  cpuMs: number;
}

async function atRest(): Promise<AtRest> {
  const before = statements;
  const { cpuSeconds, wallSeconds } = await measure(() => new Promise((resolve) => setTimeout(resolve, REST_MS)));
  return { statements: (statements - before) / wallSeconds, cpuMs: (cpuSeconds * 1000) / wallSeconds };
}

interface Rounds {
  /** Measured before the first one. */
  rest: AtRest;
  whole: Measured<Timed>[];
  /** Processor seconds after the last picture. */
  afterwards: number[];
  navigate: Measured<void>[];
  content: Measured<void>[];
}

async function rounds(galley: Galley, bare: BarePages, mail: BenchMail, requests: RenderRequest[]): Promise<Rounds> {
  const made: Rounds = { rest: await atRest(), whole: [], afterwards: [], navigate: [], content: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const whole = await measure(() => wholeTest(galley, mail.html, defaultClientIds()));
    made.whole.push(whole);
    const rest = await measure(() => new Promise((resolve) => setTimeout(resolve, AFTERWARDS_MS)));
    made.afterwards.push(rest.cpuSeconds);
    await call(galley, `DELETE /v2/preview/tests/${whole.result.id}`);
    await new Promise((resolve) => setTimeout(resolve, AFTERWARDS_MS));
    for (const loading of ['navigate', 'content'] as const)
      made[loading].push(await measure(() => bare.captureAll(requests, loading)));
  }
  return made;
}

function reportMail(mail: BenchMail, made: Rounds, { pictures, peak }: { pictures: number; peak: number }): void {
  const of = (name: keyof Timed): number => median(made.whole.map(({ result }) => Number(result[name])));
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
  const cpu = (runs: Measured<unknown>[]): number => median(runs.map(({ cpuSeconds }) => cpuSeconds));
  const cpuEach = (runs: Measured<unknown>[]): string => `${Math.round((cpu(runs) * 1000) / pictures)} ms`;
  const floor = (name: string, runs: Measured<unknown>[]): string =>
    `  ${name}: ${seconds(median(runs.map(({ wallSeconds }) => wallSeconds)) * 1000)}, CPU a picture ` +
    `${cpuEach(runs)}: all done × ${(of('allMs') / 1000 / median(runs.map((run) => run.wallSeconds))).toFixed(2)}, ` +
    `CPU × ${(cpu(made.whole) / cpu(runs)).toFixed(2)}`;
  console.log(
    `${mail.name}, ${Math.round(Buffer.byteLength(mail.html) / 1024)} KB, ${pictures} pictures: first of 46 ` +
      `${seconds(of('firstMs'))}, all first screens ${seconds(of('screensMs'))}, all done ${seconds(of('allMs'))}`,
  );
  const restSeconds = median(made.whole.map(({ wallSeconds }) => wallSeconds));
  const own = Math.max(0, of('statements') - made.rest.statements * restSeconds) / pictures;
  console.log(
    `  CPU a picture ${cpuEach(made.whole)} (${Math.round((median(made.afterwards) * 1000) / pictures)} ms after the ` +
      `last one); statements a picture ${(of('statements') / pictures).toFixed(1)} (the status, asked for ` +
      `${of('asked')} times, not counted), ${own.toFixed(1)} without the ${made.rest.statements.toFixed(1)} a second ` +
      `that the service sends at rest; memory at most ${Math.round(peak / 2 ** 20)} MiB`,
  );
  console.log(
    `  at rest the service takes ${made.rest.cpuMs.toFixed(1)} ms of processor time a second: ` +
      `${((made.rest.cpuMs * restSeconds) / pictures).toFixed(1)} of those ms a picture, and of the floor's as much for ` +
      'its time, as it runs in the same process',
  );
  console.log(floor('floor, navigated', made.navigate));
  console.log(floor('floor, content set', made.content));
}

function reportDedup(name: string, clients: number, { requests, shots }: Distinct): void {
  console.log(
    `${name}: ${clients} clients, ${shots} screenshots, ${requests.length} distinct: dedup saves ` +
      `${shots - requests.length} renders (${Math.round((1 - requests.length / shots) * 100)} %)`,
  );
}

/** Also the round that warms; the floor's browsers are not there yet. */
async function peakOf(galley: Galley, mail: BenchMail): Promise<number> {
  const whole = wholeTest(galley, mail.html, defaultClientIds());
  const peak = await peakMemory(whole);
  await call(galley, `DELETE /v2/preview/tests/${(await whole).id}`);
  return peak;
}

async function oneClient(galley: Galley, mail: BenchMail): Promise<void> {
  const firsts: number[] = [];
  for (let round = 0; round < ONE_CLIENT_ROUNDS; round += 1)
    firsts.push((await wholeTest(galley, mail.html, ['gmail_chrome'])).firstMs);
  console.log(`${mail.name}: one client, warm: median ${median(firsts)} ms (${firsts.join(', ')})`);
}

async function openFloor(lanes: number): Promise<BarePages> {
  const [install, fontsConf] = await Promise.all([
    findChromium({ runtimeDir: RUNTIME_DIR }),
    findFontsConf(RUNTIME_DIR),
  ]);
  return openBarePages(await createChromiumStarter({ install, fontsConf, log: createLog('error') }), lanes);
}

async function compare(galley: Galley, mails: BenchMail[]): Promise<void> {
  const peaks = new Map<BenchMail, number>();
  for (const mail of mails) peaks.set(mail, await peakOf(galley, mail));
  for (const mail of mails) await oneClient(galley, mail);
  const bare = await openFloor(galley.outside.config.render.browsers);
  try {
    for (const mail of mails) {
      const distinct = await distinctDocuments(galley, mail.html, defaultClientIds());
      const made = await rounds(galley, bare, mail, distinct.requests);
      reportMail(mail, made, { pictures: distinct.requests.length, peak: peaks.get(mail)! });
      reportDedup(`  ${mail.name}`, defaultClientIds().length, distinct);
    }
  } finally {
    await bare.end();
  }
}

export async function run(): Promise<void> {
  countStatements();
  const dir = await mkdtemp(join(tmpdir(), 'galley-bench-'));
  const mails = await Promise.all(mailNames().map(benchMail));
  const config = readConfig({
    ...FREE_PORTS,
    GALLEY_DATA_DIR: dir,
    GALLEY_API_KEY: KEY,
    GALLEY_ALLOW_HOSTS: '127.0.0.1',
    GALLEY_OPTIONAL_ENGINES: 'off',
  });
  const galley = await startGalley({ config, log: createLog('error') });
  try {
    await galley.outside.browser.warm();
    console.log(
      `${availableParallelism()} cores, ${galley.outside.browser.summary[0]}; medians of ${ROUNDS} rounds; ` +
        'memory is PSS of the service with its browsers, in a round apart',
    );
    await compare(galley, mails);
    const all = CLIENTS.map((client) => client.id);
    for (const mail of mails)
      reportDedup(`${mail.name}, all clients`, all.length, await distinctDocuments(galley, mail.html, all));
  } finally {
    await galley.close();
    for (const mail of mails) mail.close();
    await rm(dir, { recursive: true, force: true });
  }
}
