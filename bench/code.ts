// Code analysis of a 100 KB message for every client of the data, on one thread, beside the rivals that npm has, on the
// same message in the same run. The rivals are installed into a directory of their own that goes afterwards.

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { analyzeCode, audiences, findingsOf, scoreFor, supportAggregates } from '../src/engines/code-analysis/index.ts';
import { checkHygiene } from '../src/engines/hygiene/index.ts';
import { marketingEmail } from './marketing-email.ts';
import { median } from './measure.ts';

const SIZE_BYTES = 100 * 1024;
const TARGET_MS = 50;
const ROUNDS = 41;
const WARM_UP = 20;
/** A rival that takes longer gets fewer rounds. */
const BUDGET_MS = 20_000;
const INSTALL_MS = 120_000;

interface Timed {
  medianMs: number;
  minMs: number;
  firstMs: number;
  /** Median of the process's CPU time, the collector's threads included. */
  cpuMs: number;
}

/** Every row has declarations of its own, so that no memory of equal texts makes it easy. */
function longEmail(): string {
  const email = marketingEmail('https://images.example.com');
  const row = (n: number) =>
    `<tr><td valign="top" style="padding:${n % 40}px ${n}px;font:${12 + (n % 9)}px/1.5 ` +
    `Arial,sans-serif;border-radius:${n}px;color:#${(0x111111 + n * 977).toString(16).slice(0, 6)}">` +
    `<p class="offer-${n}" style="margin:0 auto ${n}px;max-width:${n * 3}px;background:#f${n % 10}f${n % 7}ea">` +
    `Offer ${n}: flat in a rigid sleeve.</p></td></tr>\n`;
  const end = (rows: string) =>
    email.replace('</body>', `<table role="presentation" width="640">${rows}</table></body>`);
  let rows = '';
  for (let n = 0; Buffer.byteLength(end(rows + row(n))) <= SIZE_BYTES; n++) rows += row(n);
  const html = end(rows);
  return html.replace('</body>', `${' '.repeat(SIZE_BYTES - Buffer.byteLength(html))}</body>`);
}

function time(work: () => unknown): Timed {
  const began = performance.now();
  const wall: number[] = [];
  const cpu: number[] = [];
  for (let n = 0; n < ROUNDS + WARM_UP && (n < 3 || performance.now() - began < BUDGET_MS); n++) {
    const before = process.cpuUsage();
    const start = performance.now();
    work();
    wall.push(performance.now() - start);
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1000);
  }
  const counted = <Figure>(figures: Figure[]) =>
    figures.length > WARM_UP + 2 ? figures.slice(WARM_UP) : figures.slice(1);
  return {
    medianMs: median(counted(wall)),
    minMs: Math.min(...counted(wall)),
    firstMs: wall[0]!,
    cpuMs: median(counted(cpu)),
  };
}

function line(name: string, timed: Timed, note = ''): void {
  const columns = [timed.medianMs, timed.cpuMs, timed.minMs, timed.firstMs].map((figure) =>
    figure.toFixed(1).padStart(10),
  );
  console.log(`${name.padEnd(48)}${columns.join('')}  ${note}`);
}

interface Rival {
  package: string;
  clients: string;
  /** Runs it on the message; answers what it found. */
  run(module: any, html: string): string;
}

const rivals: Rival[] = [
  {
    package: 'caniemail',
    clients: 'those of its 48 clients that it does not throw for',
    run: ({ caniemail }, html) => {
      const clients = [
        'aol',
        'apple-mail',
        'fastmail',
        'gmail',
        'hey',
        'mail-ru',
        'orange',
        'outlook',
        'protonmail',
        'samsung-email',
        'sfr',
        'yahoo',
      ].map((family) => `${family}.*`);
      const { issues } = caniemail({ clients: [...clients, 'laposte.desktop-webmail', 'thunderbird.macos'], html });
      const titles = new Set(
        [...issues.errors.values(), ...issues.warnings.values()].flat().map((issue: { title: string }) => issue.title),
      );
      return `${titles.size} features with issues`;
    },
  },
  {
    package: 'doiuse-email',
    clients: 'all of its clients',
    run: ({ doIUseEmail }, html) => messages(doIUseEmail(html, { emailClients: ['*'] })),
  },
  {
    package: '@jsx-email/doiuse-email',
    clients: 'all of its 32 clients',
    run: ({ doIUseEmail }, html) => messages(doIUseEmail(html, { emailClients: ['*'] })),
  },
  {
    package: '@emailens/engine',
    clients: 'all of its 15 clients',
    run: ({ analyzeEmail }, html) => {
      const warnings: { property: string; client: string }[] = analyzeEmail(html);
      return `${warnings.length} warnings on ${new Set(warnings.map(({ property }) => property)).size} properties`;
    },
  },
];

function messages(result: { errors?: string[]; warnings: string[] }): string {
  return `${(result.errors ?? []).length} errors, ${result.warnings.length} warnings`;
}

const execute = promisify(execFile);

async function compare(rival: Rival, html: string, ownCpuMs: number): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'galley-rival-'));
  try {
    await execute(
      'npm',
      ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', dir, rival.package],
      { timeout: INSTALL_MS },
    );
    const require = createRequire(join(dir, 'rival.js'));
    const { version } = require(join(dir, 'node_modules', rival.package, 'package.json')) as { version: string };
    const imported = await import(pathToFileURL(require.resolve(rival.package)).href);
    const module = { ...imported.default, ...imported };
    const found = rival.run(module, html);
    const timed = time(() => rival.run(module, html));
    line(
      `${rival.package} ${version}`,
      timed,
      `× ${(timed.cpuMs / ownCpuMs).toFixed(1)} of our CPU time; ${rival.clients}; ${found}`,
    );
  } catch (error) {
    console.log(
      `${rival.package.padEnd(52)} could not be had or run: ` +
        `${(error instanceof Error ? error.message : String(error)).split('\n')[0]}`,
    );
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Prints medians, and says whether the target is met. */
export async function run(): Promise<void> {
  const html = longEmail();
  const analysis = analyzeCode(html);
  const cells = analysis.features.reduce((sum, { support }) => sum + support.length, 0);
  console.log(`${Buffer.byteLength(html)} bytes of HTML, one thread; ms: median, median CPU, fastest, first\n`);
  const own = time(() => analyzeCode(html));
  const places = analysis.features.reduce((sum, { instanceCount }) => sum + instanceCount, 0);
  line(
    'analyzeCode, all 48 clients and their versions',
    own,
    `${analysis.features.length} features, ${places} places, ${cells} cells; target < ${TARGET_MS} ms: ` +
      `${own.medianMs < TARGET_MS ? 'met' : own.cpuMs < TARGET_MS ? 'met in CPU time only: the machine is busy' : 'MISSED'}`,
  );
  line(
    '  + score for every client alike',
    time(() =>
      scoreFor(
        analysis,
        audiences.find(({ id }) => id === 'equal'),
      ),
    ),
  );
  line(
    '  + sums and findings',
    time(() => [supportAggregates(analysis, audiences[0]!), findingsOf(analysis)]),
  );
  line(
    '  + hygiene',
    time(() => checkHygiene({ html, subject: 'The spring list', text: 'The spring list is here.' })),
  );
  for (const rival of rivals) await compare(rival, html, own.cpuMs);
}
