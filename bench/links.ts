// 1,000 distinct local links with chain, times and certificates, beside a bare undici loop and linkinator on the same
// links.
import { execFile, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createFetch, type GuardedFetch } from '../src/platform/fetch/index.ts';
import { checkAll, type LinkReport } from '../src/platform/links/index.ts';
import type { LinksSite } from './links-site.ts';
import { median } from './measure.ts';

const ROUNDS = 8;
const CONCURRENCY = 48;
const RIVALS = { undici: '8.12.4', linkinator: '8.1.0' };

interface Figure {
  wallMs: number;
  cpuMs: number;
}

async function measured(work: () => Promise<unknown>): Promise<Figure> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: performance.now() - start, cpuMs: (user + system) / 1000 };
}

/** The rivals of this benchmark only, outside the project. */
async function installRivals(dir: string): Promise<void> {
  const packages = Object.entries(RIVALS).map(([name, version]) => `${name}@${version}`);
  await promisify(execFile)('npm', [
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--prefix',
    dir,
    ...packages,
  ]);
}

/** As the service has it: one door for its whole life, here with no connections kept from before. */
function openDoor(site: LinksSite): GuardedFetch {
  return createFetch({ allowHosts: ['127.0.0.0/8'], userAgent: 'Galley bench', ca: site.authority });
}

function ours(site: LinksSite, door: GuardedFetch): Promise<Map<string, LinkReport>> {
  return checkAll(site.urls, { fetch: door, concurrency: CONCURRENCY });
}

/** As little as one can do: the status of every link, redirects followed, nothing else looked at. */
async function bareLoop(undici: any, urls: readonly string[], method: 'GET' | 'HEAD'): Promise<void> {
  const agent = new undici.Agent({ connect: { rejectUnauthorized: false } });
  const dispatcher = agent.compose(undici.interceptors.redirect({ maxRedirections: 10 }));
  const waiting = urls.values();
  const work = async () => {
    for (const url of waiting) {
      try {
        const { body } = await undici.request(url, { method, dispatcher });
        await body.dump();
      } catch {
        // A dead link; the loop only wants to know.
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  await agent.close();
}

async function linkinator(library: any, site: LinksSite): Promise<void> {
  const { links } = await new library.LinkChecker().check({
    path: site.index,
    concurrency: CONCURRENCY,
    allowInsecureCerts: true,
  });
  if (links.length < site.urls.length) throw new Error(`linkinator checked only ${links.length} links.`);
}

/** What the figures are worth: the reports must say all that they promise. */
function verify(reports: Map<string, LinkReport>): string {
  const counts: Record<string, number> = {};
  let [hops, certificates] = [0, 0];
  for (const report of reports.values()) {
    counts[report.status] = (counts[report.status] ?? 0) + 1;
    hops += report.chain.length;
    certificates += report.chain.filter((hop) => hop.certificate).length;
    if (
      report.chain.some((hop) => !(hop.firstByteMs >= 0) || (hop.url.startsWith('https') && !hop.certificate?.subject))
    ) {
      throw new Error(`${report.url} lacks a time or a certificate.`);
    }
  }
  const expected = { ok: 720, redirected: 150, broken: 120, loop: 10 };
  if (Object.entries(expected).some(([status, count]) => counts[status] !== count))
    throw new Error(`Not the expected results: ${JSON.stringify(counts)}`);
  return `${reports.size} reports ${JSON.stringify(counts)}, ${hops} hops, ${certificates} with certificate`;
}

/**
 * Prints wall time, rate and CPU of all, middle of eight rounds. Each round begins with another one: who comes next
 * clears up after the last.
 */
export async function run(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'galley-bench-links-'));
  const child = fork(join(import.meta.dirname, 'links-site.ts'), { stdio: 'inherit' });
  try {
    const site = await new Promise<LinksSite>((resolve) =>
      child.once('message', (message) => resolve(message as LinksSite)),
    );
    await installRivals(dir);
    const load = (name: string) => import(pathToFileURL(join(dir, 'node_modules', name)).href);
    const undici = await load('undici/index.js').then((module) => module.default);
    const checker = await load('linkinator/build/src/index.js');
    const warm = openDoor(site);
    console.log(verify(await ours(site, warm)));
    warm.close();
    let door = warm;
    const contenders: Record<string, () => Promise<unknown>> = {
      galley: () => ours(site, door),
      'bare undici loop, GET': () => bareLoop(undici, site.urls, 'GET'),
      'bare undici loop, HEAD': () => bareLoop(undici, site.urls, 'HEAD'),
      linkinator: () => linkinator(checker, site),
    };
    const figures: Record<string, Figure[]> = {};
    for (let round = 0; round <= ROUNDS; round++) {
      door = openDoor(site);
      const entries = Object.entries(contenders);
      const first = round % entries.length;
      for (const [name, work] of [...entries.slice(first), ...entries.slice(0, first)]) {
        const figure = await measured(work);
        // The first round warms up.
        if (round > 0) (figures[name] ??= []).push(figure);
      }
      door.close();
    }
    report(figures, site.urls.length);
  } finally {
    child.disconnect();
    await rm(dir, { recursive: true, force: true });
  }
}

function report(figures: Record<string, Figure[]>, count: number): void {
  const wall = (name: string) => median(figures[name]!.map(({ wallMs }) => wallMs));
  for (const name of Object.keys(figures).sort()) {
    const cpu = median(figures[name]!.map(({ cpuMs }) => cpuMs));
    const ratio = wall(name) / wall('galley');
    console.log(
      `${name.padEnd(24)} ${wall(name).toFixed(0).padStart(6)} ms  ` +
        `${((count / wall(name)) * 1000).toFixed(0).padStart(5)} links/s  ${cpu.toFixed(0).padStart(6)} ` +
        `ms CPU  galley is ${ratio.toFixed(2)} × as fast`,
    );
  }
}
