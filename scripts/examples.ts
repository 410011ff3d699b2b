// `npm run examples [-- path…]`: runs the tests of features and takes the examples of the OpenAPI document from the calls
// that they make. The same tests give the same examples. Where paths are given, only their tests run, and only examples
// of their features change: give whole folders, so that a feature has all its tests.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import recorded from '../src/app/examples.json' with { type: 'json' };
import { FEATURES } from '../src/app/features.ts';
import { wholeDocument } from '../src/app/openapi.ts';
import { operationsOf, type Example, type Examples } from '../src/platform/http/index.ts';
import type { RecordedCall } from '../test/harness/recorded-calls.ts';
import { compactJson } from './compact-json.ts';
import { chooseExamples } from './examples/choose.ts';
import { folderOf } from './feature-folder.ts';

const root = join(import.meta.dirname, '..');
const FILE = 'src/app/examples.json';
/** Tests that together call every operation. */
const TESTS = ['src/features', 'src/app/wire-contract.test.ts'];

function readCalls(folder: string): RecordedCall[] {
  return readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as RecordedCall),
  );
}

/** Runs the tests; the calls that they made, or undefined when one failed. */
function recordCalls(paths: readonly string[]): RecordedCall[] | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'galley-calls-'));
  try {
    const { status } = spawnSync(process.execPath, [join(root, 'scripts/test.ts'), ...paths], {
      cwd: root,
      env: { ...process.env, GALLEY_RECORD_CALLS: folder },
      stdio: 'inherit',
    });
    return status === 0 ? readCalls(folder) : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const operations = operationsOf(wholeDocument([]));
const described = FEATURES.flatMap(({ name, endpoints }) =>
  endpoints.map(({ contract }) => {
    const found = operations.find(({ operation }) => operation.operationId === contract.operationId);
    if (!found) throw new Error(`The document lacks ${contract.operationId}.`);
    return { folder: folderOf(name), contract, operation: found.operation };
  }),
);

const paths = process.argv.slice(2);
const calls = recordCalls(paths.length ? paths : TESTS);
if (calls) {
  const known: Record<string, Example> = paths.length ? { ...(recorded as Examples) } : {};
  for (const [id, { example, isOfOwnFeature }] of Object.entries(chooseExamples(described, calls)))
    if (isOfOwnFeature || !known[id]) known[id] = example;
  const ids = described.map(({ contract }) => contract.operationId).sort();
  const kept = Object.fromEntries(ids.flatMap((id) => (known[id] ? [[id, known[id]]] : [])));
  writeFileSync(join(root, FILE), `${compactJson(kept)}\n`);
  console.log(`written: ${FILE}, ${Object.keys(kept).length} examples. Now run \`npm run generate\`.`);
} else {
  console.error(`A test failed: ${FILE} stays as it is.`);
  process.exitCode = 1;
}
