// `npm run fidelity`: tries every claim and prints hits and misses by family.
//   --write    also writes data/clients/measured.json, docs/fidelity.md and the table of the README
//   --only=x   tries the claims whose id begins with x
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { RunRecord } from './first-run.ts';
import { documentOf, tableOf } from './report.ts';
import { CLAIMS } from './rows/index.ts';
import { countAll, countByFamily, percent } from './table.ts';
import { tryClaims, type Outcome } from './try-claims.ts';

const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({ options: { write: { type: 'boolean', default: false }, only: { type: 'string' } } });
const wanted = values.only === undefined ? CLAIMS : CLAIMS.filter(({ id }) => id.startsWith(values.only!));

function print(outcomes: readonly Outcome[]): void {
  for (const { claim, family, hit, misses } of outcomes) {
    if (hit) continue;
    console.log(`${claim} (${family})`);
    for (const [client, miss] of Object.entries(misses)) console.log(`  ${client}: ${miss}`);
  }
  console.log('');
  for (const [family, count] of countByFamily(outcomes)) {
    if (count.claims > 0) console.log(`${family.padEnd(40)} ${count.hits} of ${count.claims}  ${percent(count)}`);
  }
  const all = countAll(outcomes);
  console.log(`${'All'.padEnd(40)} ${all.hits} of ${all.claims}  ${percent(all)}`);
}

function write(outcomes: readonly Outcome[]): void {
  const run: RunRecord = {
    date: new Date().toISOString().slice(0, 10),
    families: Object.fromEntries(countByFamily(outcomes)),
    misses: outcomes.filter(({ hit }) => !hit).map(({ claim, family, misses }) => ({ claim, family, misses })),
  };
  writeFileSync(join(root, 'data/clients/measured.json'), `${JSON.stringify(run, null, 2)}\n`);
  writeFileSync(join(root, 'docs/fidelity.md'), documentOf(run));
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [begin, end] = ['<!-- fidelity: written by `npm run fidelity -- --write` -->\n', '<!-- end of fidelity -->'];
  const from = readme.indexOf(begin) + begin.length;
  writeFileSync(
    join(root, 'README.md'),
    `${readme.slice(0, from)}\n${tableOf(run)}\n\n${readme.slice(readme.indexOf(end))}`,
  );
}

const startedMs = Date.now();
const outcomes = await tryClaims(wanted);
print(outcomes);
console.log(`${wanted.length} claims, ${((Date.now() - startedMs) / 1000).toFixed(0)} s`);
if (values.write && values.only === undefined) write(outcomes);
