// `npm run new -- send/bounces`: a resource with a table, five endpoints, a test and a page, which works as it is.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { filesOf } from './scaffold/files.ts';
import { readNames, type Names } from './scaffold/names.ts';
import { REGISTERS } from './scaffold/register.ts';

const root = join(import.meta.dirname, '..');

function run(program: string, args: string[]): void {
  execFileSync(program, args, { cwd: root, stdio: 'inherit' });
}

function write(names: Names): string[] {
  const files = filesOf(names, new Date());
  const there = [...files.keys()].map((path) => dirname(path)).find((folder) => existsSync(join(root, folder)));
  if (there !== undefined) throw new Error(`${there} is there already.`);
  for (const [path, change] of Object.entries(REGISTERS))
    files.set(path, change(readFileSync(join(root, path), 'utf8'), names));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return [...files.keys()];
}

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { one: { type: 'string' } } });
  const names = readNames(positionals[0] ?? '', values.one);
  const written = write(names);
  run(process.execPath, [join(root, 'scripts/tool.mjs'), 'oxfmt', ...written]);
  run(process.execPath, [join(root, 'scripts/generate.ts')]);
  console.log(`written:\n${written.map((path) => `  ${path}`).join('\n')}`);
  console.log(`Next: npm test -- ${names.area}/${names.many}; docs/guides/add-a-resource.md tells what stands where.`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
