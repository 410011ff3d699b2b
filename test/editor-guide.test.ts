// The tasks of docs/guides/editor.md: their patterns find in the output of `galley check` what it found.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startProgram } from './harness/program.ts';

const ROOT = join(import.meta.dirname, '..');
const GALLEY = join(ROOT, 'bin/galley.mjs');
/** The quickest of the checks: what they find is written alike. */
const QUICK = ['--checks', 'code'];
const ENV = { GALLEY_OPTIONAL_ENGINES: 'off', GALLEY_BROWSERS: '1' };
const MESSAGE =
  'From: a@example.com\r\nTo: b@example.com\r\nSubject: Spring\r\nMIME-Version: 1.0\r\n' +
  'Content-Type: text/html; charset=utf-8\r\n\r\n<p>Half off: 50% *|FNAME|*</p>\r\n';

const guide = await readFile(join(ROOT, 'docs/guides/editor.md'), 'utf8');
const { tasks } = JSON.parse(/```json\n([^]+?)\n```/.exec(guide)![1]!) as { tasks: any[] };
const [checking, watching] = tasks;

/** The arguments of a task behind `galley`. */
const argumentsOf = ({ command }: { command: string }): string[] => {
  const [npx, galley, ...args] = command.split(' ');
  assert.deepEqual([npx, galley], ['npx', 'galley']);
  return args;
};

interface Problem {
  severity: string;
  file: string;
  line: number | undefined;
  column: number | undefined;
  code: string;
  message: string;
}

/** As the editor reads a line: the first matcher that fits; a severity that it does not know is the matcher's. */
function problemOf(line: string, matchers: any[]): Problem | undefined {
  for (const { pattern, severity } of matchers) {
    const found = new RegExp(pattern.regexp).exec(line);
    if (!found) continue;
    const number = (group: number | undefined): number | undefined =>
      group === undefined || found[group] === undefined ? undefined : Number(found[group]);
    const said = found[pattern.severity]!;
    return {
      severity: ['error', 'warning', 'info'].includes(said) ? said : severity,
      file: found[pattern.file]!,
      line: number(pattern.line),
      column: number(pattern.column),
      code: found[pattern.code]!,
      message: found[pattern.message]!,
    };
  }
  return undefined;
}

const problemsIn = (text: string, matchers: any[]): Problem[] =>
  text.split('\n').flatMap((line) => problemOf(line, matchers) ?? []);

const keyOf = ({ severity, file, line, column, code }: Omit<Problem, 'message'>): string =>
  [severity, file, line ?? '-', column ?? '-', code].join(' ');

describe('the tasks of the guide for editors', () => {
  let dir: string;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'galley-editor-'));
    await cp(join(ROOT, 'docs/example'), join(dir, 'mails/example'), { recursive: true });
    await writeFile(join(dir, 'mails/spring mail.eml'), MESSAGE);
  });
  after(() => rm(dir, { recursive: true, force: true }));

  async function galley(args: string[]): Promise<string> {
    const child = spawn(process.execPath, [GALLEY, ...args], { cwd: dir, env: { ...process.env, ...ENV } });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    await once(child, 'close');
    return said;
  }

  it('have the same patterns, each with the fields that the editor knows', () => {
    assert.deepEqual(
      tasks.map(({ label, isBackground = false }) => [label, isBackground]),
      [
        ['galley: check', false],
        ['galley: watch', true],
      ],
    );
    const [first, second] = tasks.map(({ problemMatcher }) =>
      problemMatcher.map((matcher: any) => ({ ...matcher, background: undefined })),
    );
    assert.deepEqual(first, second);
    for (const { owner, fileLocation, pattern } of first)
      assert.deepEqual(
        [owner, fileLocation, typeof pattern.regexp],
        ['galley', ['relative', '${workspaceFolder}'], 'string'],
      );
    assert.deepEqual(argumentsOf(watching), [...argumentsOf(checking), '--watch']);
  });

  it('find every finding, with its file, line, column, rule and severity, and nothing else', async () => {
    const args = [...argumentsOf(checking), ...QUICK];
    const found = problemsIn(await galley(args), checking.problemMatcher);
    const report = JSON.parse(await galley(args.map((arg) => (arg === 'github' ? 'json' : arg))));
    const shown = report.emails.flatMap(({ email, checks }: any) =>
      checks
        .flatMap(({ findings }: any) => findings)
        .filter(({ severity, ignored }: any) => severity !== 'pass' && ignored === undefined)
        .map(({ severity, fails, where, rule }: any) => ({
          severity: fails ? 'error' : severity === 'info' ? 'info' : 'warning',
          file: email,
          line: where?.line,
          column: where?.column,
          code: rule,
        })),
    );
    assert.deepEqual(found.map(keyOf).toSorted(), shown.map(keyOf).toSorted());
    for (const severity of ['error', 'warning', 'info']) assert.ok(found.some((one) => one.severity === severity));
    const whole = found.filter(({ line }) => line === undefined);
    assert.ok(whole.some(({ file, code }) => file === 'mails/spring mail.eml' && code === 'hygiene/list-unsubscribe'));
    for (const { message } of found) assert.doesNotMatch(message, /%0A|^Fix/);
  });

  it('know where a round of --watch begins and ends', async () => {
    const { background } = watching.problemMatcher[0];
    const [begins, ends] = [new RegExp(background.beginsPattern), new RegExp(background.endsPattern)];
    assert.equal(background.activeOnStart, true);
    const program = startProgram([process.execPath, GALLEY, ...argumentsOf(watching), ...QUICK], {
      cwd: dir,
      env: ENV,
    });
    const count = (pattern: RegExp): number =>
      program
        .stderr()
        .split('\n')
        .filter((line) => pattern.test(line)).length;
    const until = async (holds: () => boolean): Promise<void> => {
      const ended = program.ended.then(() => true);
      while (!holds()) {
        const isEnded = await Promise.race([once(program.child.stderr!, 'data').then(() => false), ended]);
        assert.ok(!isEnded || holds(), program.stderr());
      }
    };
    try {
      await until(() => count(ends) === 1);
      assert.equal(count(begins), 0);
      await writeFile(join(dir, 'mails/spring mail.eml'), MESSAGE.replace('*|FNAME|*', 'for all'));
      await until(() => count(ends) === 2);
      assert.equal(count(begins), 1);
      const lines = program.stdout().split('\n');
      assert.ok(lines.length > 20);
      assert.ok(lines.every((line) => !begins.test(line) && !ends.test(line)));
    } finally {
      await program.end();
    }
  });
});
