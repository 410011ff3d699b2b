// Test files in a process of their own, which ends within a bound, with all that it started.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Group } from './groups.ts';
import { findMarked, kill, type LeftProcess } from './left-processes.ts';
import { findTemporary } from './temporary.ts';
import { askWhatIsOpen, reportsInto } from './what-is-open.ts';

type TestEvent = { type: string; data: Record<string, any> };

interface Limits {
  /** A test without a limit of its own. */
  testMs: number;
  /** Without a word while a test or an import is under way: longer than the longest limit that a test sets itself. */
  silenceMs: number;
  /** From the last test's end to the process's, and from there to that of the last one it started. */
  leaveMs: number;
}

export interface GroupResult {
  files: Group;
  passed: number;
  failed: number;
  skipped: number;
  durationMs: number;
  /** For a reporter, without the totals. */
  events: TestEvent[];
  /** Why they failed apart from their tests: a sentence that names the files. */
  fault?: string;
}

const LOOK_MS = 250;
/** Killed processes are gone long before. */
const KILL_MS = 5000;
// For a process that lives for seconds: WebAssembly (the database) is compiled once, not again to run faster, and what
// is young is collected less often. A start of the app with a hundred requests takes 3.5 s of processor time then
// instead of 4.9.
const EXEC_ARGV = [
  '--disable-warning=ExperimentalWarning',
  '--liftoff-only',
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
];
const GROUP = join(import.meta.dirname, 'group.ts');
const TEMPORARY = findTemporary();
/** Files that run: the mark in their environment, and their temporary directory. */
const running = new Map<string, string>();
let started = 0;

const named = (left: readonly LeftProcess[]): string => left.map(({ name, pid }) => `${name} (${pid})`).join(', ');
const seconds = (ms: number): string => `${ms / 1000} s`;

/** What is reported while the file runs: whether a test is under way, and when something was last said. */
class Progress {
  saidAt = performance.now();
  readonly events: TestEvent[] = [];
  readonly counts = { passed: 0, failed: 0, skipped: 0 };
  private isSuccess = false;
  private readonly open = new Set<string>();
  private done = 0;

  hear({ type, data }: TestEvent): void {
    this.saidAt = performance.now();
    // The runner has an entry of its own for the file; those of tests alone name the file they stand in.
    const isOfTest = data['entryFile'] !== undefined;
    if (isOfTest) {
      if (type === 'test:enqueue') this.open.add(String(data['testId']));
      if (type === 'test:complete') {
        this.open.delete(String(data['testId']));
        this.done++;
      }
    }
    if (isOfTest && (type === 'test:pass' || type === 'test:fail')) this.count(type === 'test:pass', data);
    if (type === 'test:summary') this.isSuccess = data['success'] === true;
    else if (isOfTest || data['file'] !== undefined) this.events.push({ type, data });
  }

  private count(isPassed: boolean, data: TestEvent['data']): void {
    if (data['details']?.type === 'suite') return;
    const isLeftOut = [data['skip'], data['todo']].some((reason) => reason !== undefined && reason !== false);
    this.counts[isLeftOut ? 'skipped' : isPassed ? 'passed' : 'failed']++;
  }

  /** The tests, and one failure more where the file has a fault that no test shows. */
  result(isFaulty: boolean): { passed: number; failed: number; skipped: number } {
    const isHidden = !this.isSuccess && !this.counts.failed;
    return { ...this.counts, failed: this.counts.failed + (isFaulty || isHidden ? 1 : 0) };
  }

  /** The limit that is passed, as a sentence about the file; undefined while there is time. */
  overdue({ silenceMs, leaveMs }: Limits): string | undefined {
    const silent = performance.now() - this.saidAt;
    if (this.done > 0 && this.open.size === 0) {
      if (silent < leaveMs) return undefined;
      return (
        `its tests ended, but not its process within ${seconds(leaveMs)}: something was left open, such as an app,` +
        ' a server, a timer or a child process'
      );
    }
    if (silent < silenceMs) return undefined;
    return `it reported nothing for ${seconds(silenceMs)} while ${this.done > 0 ? 'a test was' : 'it was'} under way`;
  }
}

/** Waits until nothing that the file started runs; what outlasts the bound is killed and answered. */
async function endLeftOver(mark: string, leaveMs: number): Promise<LeftProcess[]> {
  for (const until = performance.now() + leaveMs; ; await pause(LOOK_MS)) {
    const left = findMarked(mark);
    if (!left.length) return [];
    if (performance.now() < until) continue;
    kill(left);
    return left;
  }
}

/** Kills until nothing is left: a killed process goes in its own time, and one may just have started another. */
function killAll(mark: string): void {
  for (const until = performance.now() + KILL_MS; performance.now() < until;) {
    const left = findMarked(mark);
    if (!left.length) return;
    kill(left);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
}

/** Ends the running files, and all processes that they started, when the whole run is stopped. */
export function endRunning(): void {
  for (const [mark, temporary] of running) {
    killAll(mark);
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The tests' process with its bound: why it was killed, if it was. */
async function runProcess(
  files: Group,
  limits: Limits,
  { mark, env, temporary }: { mark: string; env: NodeJS.ProcessEnv; temporary: string },
): Promise<{ progress: Progress; fault?: string }> {
  const progress = new Progress();
  const ending = new AbortController();
  let fault: string | undefined;
  let ended: Promise<void> | undefined;
  const stream = run({
    files: files.length > 1 ? [GROUP] : [...files],
    timeout: limits.testMs,
    signal: ending.signal,
    execArgv: [...EXEC_ARGV, ...reportsInto(temporary)],
    env,
  });
  const end = async (overdue: string): Promise<void> => {
    const left = findMarked(mark);
    const open = await askWhatIsOpen(left, temporary);
    kill(findMarked(mark));
    // Where processes cannot be found, the runner ends the one it knows.
    if (!left.length) ending.abort();
    fault = `${overdue}. It was killed${left.length ? `: ${named(left)}` : ''}.${open && ` Open were: ${open}.`}`;
  };
  const watch = setInterval(() => {
    const overdue = progress.overdue(limits);
    if (overdue === undefined) return;
    clearInterval(watch);
    ended = end(overdue);
  }, LOOK_MS);
  for await (const event of stream) progress.hear(event as TestEvent);
  clearInterval(watch);
  await ended;
  return { progress, ...(fault !== undefined && { fault }) };
}

/**
 * Runs test files, one after the other. Their process is killed, with what it started, when a limit passes; processes
 * that outlive it are too. Both are the files' fault, whatever their tests said. Their temporary directory is their own
 * and goes with them.
 */
export async function runGroup(files: Group, limits: Limits): Promise<GroupResult> {
  const id = `${process.pid}-${++started}`;
  const mark = `TEST_FILE_OF_RUN=${id}`;
  const temporary = join(TEMPORARY, `galley-tests-${id}`);
  // Programs that a test runs as nobody pass through it.
  mkdirSync(temporary, { mode: 0o711 });
  running.set(mark, temporary);
  const began = performance.now();
  const { progress, fault } = await runProcess(files, limits, {
    mark,
    temporary,
    env: { ...process.env, TEST_FILE_OF_RUN: id, TEST_GROUP: files.join('\n'), TMPDIR: temporary },
  });
  const durationMs = performance.now() - began;
  const left = await endLeftOver(mark, limits.leaveMs);
  const outlived = `processes that it started outlived it by ${seconds(limits.leaveMs)} and were killed: ${named(left)}.`;
  const faults = [...(fault === undefined ? [] : [fault]), ...(left.length ? [outlived] : [])];
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  running.delete(mark);
  const said = faults.length ? { fault: `${files.join(', ')}: ${faults.join(' Also, ')}` } : {};
  return { files, durationMs, events: progress.events, ...progress.result(faults.length > 0), ...said };
}
