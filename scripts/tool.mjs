// `node scripts/tool.mjs oxlint …`: runs a linter, the formatter or the compiler of test/package.json, and installs them
// when they are not there. Without a tool it only installs, for `npm test`; `--with clickhouse mcp sources` installs what
// stands in those folders of test/, too, for the wide suite.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTestPackage, installTestPackages, linkTypes } from './test-packages.mjs';

/** The tools and their packages. `typescript` is the older one that the generators of clients ask for. */
const PACKAGES = { oxlint: 'oxlint', oxfmt: 'oxfmt', tsc: 'typescript-7' };

const [tool, ...args] = process.argv.slice(2);

function run() {
  const name = PACKAGES[tool];
  if (name === undefined) throw new Error(`${tool} is none of ${Object.keys(PACKAGES).join(', ')}.`);
  const path = findTestPackage(name);
  if (tool === 'tsc') linkTypes();
  const { bin } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const { status, error } = spawnSync(process.execPath, [join(path, bin[tool]), ...args], { stdio: 'inherit' });
  if (error) throw error;
  return status ?? 1;
}

try {
  if (tool === undefined || tool === '--with') {
    process.exitCode = ['', ...args].every((part) => installTestPackages(part)) ? 0 : 1;
    linkTypes();
  } else process.exitCode = run();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
