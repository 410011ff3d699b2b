// Doors by need: a function takes the doors that it uses, so that who calls it knows what it touches, and a command
// without a server calls the same function as the server.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';

const root = resolve(import.meta.dirname, '..');

/** The code of a file without its comments; lines stay where they are. */
function codeOf(file: string): string {
  return readFileSync(join(root, file), 'utf8').replace(
    /(^|[\s({,;])(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/)/g,
    (comment, before: string) => before + comment.slice(before.length).replace(/[^\n]/g, ' '),
  );
}

const files = globSync(['src/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts', 'test/**/*.ts'], {
  cwd: root,
  exclude: ['test/clients/programs/**', '**/node_modules/**', 'test/architecture-doors.test.ts'],
}).map((file) => file.replaceAll('\\', '/'));
const sources = new Map(files.map((file) => [file, codeOf(file)]));
const product = (file: string): boolean => /^src\/(features|app)\//.test(file) && !/\.(test|fixture)\.ts$/.test(file);

/** Where a pattern stands, as `file:line`. */
function placesOf(pattern: RegExp, isWanted: (file: string) => boolean = () => true): string[] {
  return [...sources]
    .filter(([file]) => isWanted(file))
    .flatMap(([file, code]) =>
      [...code.matchAll(pattern)].map((match) => `${file}:${code.slice(0, match.index).split('\n').length}`),
    );
}

/** Parameters that take every door, with or without who is asking. */
const WHOLE = /[\w}]\??:\s*(?:Outside|Context)(?:\s*\|\s*undefined)?\s*(?=[,)])/g;

/** What stands in no function: the declarations that a job or the app calls, which hand on what they have. */
const DECLARED: Record<string, string> = {
  'src/features/proof/_inspections/machine.ts': 'begin: what the job of a kind runs',
  'src/features/proof/_seeds/actions.ts': 'settle: what the job of a kind runs',
  'src/features/proof/_seeds/settle.ts': 'makes that job',
  'src/app/serve.ts': 'hands them to the server',
};

describe('doors by need', () => {
  it('reads the whole tree', () => {
    assert.ok(files.filter(product).length > 200, `only ${files.filter(product).length} files were read`);
    const pattern = /\bPick<\s*(?:Outside|Context),/g;
    assert.ok(placesOf(pattern, product).length > 150, 'the doors that functions name were not found');
  });

  it('finds a function that takes them all', () => {
    for (const taking of [
      'f(outside: Outside)',
      'f({ db }: Outside, id: string)',
      '(ctx?: Context) =>',
      'f(a: Context,)',
    ])
      assert.match(taking, new RegExp(WHOLE.source));
    for (const narrow of ["f(outside: Pick<Outside, 'db'>)", 'f(log: Outside["log"])', 'f(c: CheckRunContext)'])
      assert.doesNotMatch(narrow, new RegExp(WHOLE.source));
  });

  it('has no function that takes all doors, but those that hand them to a declaration', () => {
    const taking = placesOf(WHOLE, product).map((place) => place.replace(/:\d+$/, ''));
    assert.deepEqual(
      [...new Set(taking)].filter((file) => !Object.hasOwn(DECLARED, file)),
      [],
    );
    const without = Object.keys(DECLARED).filter((file) => !taking.includes(file));
    assert.deepEqual(without, [], 'these take them no more: take them off the list');
    assert.deepEqual(taking.length, Object.keys(DECLARED).length, `once in each of the list: ${taking.join(', ')}`);
  });

  it('makes no outside of a part of it', () => {
    assert.deepEqual(placesOf(/\bas\s+(?:unknown\s+as\s+|never\s+as\s+)?(?:Outside|Context)\b/g), []);
    assert.deepEqual(placesOf(/\{\}\s*as\s+(?:Partial<)?(?:Outside|Context)\b/g), []);
  });

  it('has no door that only throws', () => {
    assert.deepEqual(
      placesOf(/\bnew Proxy\b/g, (file) => file.startsWith('src/')),
      [],
    );
  });
});

describe('queries', () => {
  /** A whole statement as text, whose columns and rows nothing checks. */
  const STATEMENT = /\bsql(?:<[^`]*>)?`\s*\(?\s*(?:select|insert|update|delete|with)\b/g;

  it('finds a statement as text', () => {
    for (const text of ['sql`select 1`', 'sql<{ id: string }>`\n  select id`', 'sql<Row>`\n delete from a`'])
      assert.match(text, new RegExp(STATEMENT.source));
    assert.doesNotMatch("sql<number>`count(*)::int`.as('selected')", new RegExp(STATEMENT.source));
  });

  it('of features are typed: a column that there is not fails to compile', () => {
    assert.deepEqual(placesOf(STATEMENT, product), []);
    const typed = placesOf(/\.(?:ofAnyone\b|of\()/g, product);
    assert.ok(typed.length > 100, `only ${typed.length} typed queries were found`);
  });
});
