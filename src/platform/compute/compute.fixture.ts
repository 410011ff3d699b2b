// Computations of every temper, for tests.
import { AppError } from '../errors/index.ts';
import { defineComputation } from './computation.ts';

const at = import.meta.url;

export const double = defineComputation(at, 'double', ({ number, bytes }: { number: number; bytes: Buffer }) => ({
  number: number * 2,
  bytes: Buffer.concat([bytes, bytes]),
  pid: process.pid,
  environment: Object.keys(process.env),
  at: new Date(number),
  map: new Map([['a', 1]]),
}));

export const reverse = defineComputation(at, 'reverse', ({ rows, ...rest }: { rows: unknown[]; inner: object }) => ({
  rows: rows.toReversed(),
  ...rest,
  isList: Array.isArray(rows),
}));

export const list = defineComputation(at, 'list', (rows: unknown[]) => rows);

export const refuse = defineComputation(at, 'refuse', (field: string): never => {
  throw new AppError('invalid_request', `${field} is wrong.`, { details: { field } });
});

export const breakDown = defineComputation(at, 'breakDown', (): never => {
  throw new TypeError('A fault of ours.');
});

/** Computes for so long, and cannot be asked to stop. */
export const spin = defineComputation(at, 'spin', (milliseconds: number) => {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
  return process.pid;
});

/** Waits without computing. */
export const wait = defineComputation(at, 'wait', async (milliseconds: number) => {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return process.pid;
});

/** Takes more at once than V8 could refuse gracefully. */
export const eat = defineComputation(at, 'eat', (): number => {
  for (let held = [0.5]; ; held = held.concat(held)) if (held.length === 0) return 0;
});

/** Memory beside the heap. */
export const eatBuffers = defineComputation(at, 'eatBuffers', (): number => {
  const held: Buffer[] = [];
  for (;;) held.push(Buffer.alloc(64 * 1024 * 1024, 1));
});

export const die = defineComputation(at, 'die', (): never => process.exit(3));

const kept: Buffer[] = [];

/** Holds much; what is not to be kept it leaves behind. */
export const hold = defineComputation(at, 'hold', ({ bytes, isKept }: { bytes: number; isKept: boolean }) => {
  const held = Array.from({ length: Math.ceil(bytes / 1e6) }, () => Buffer.alloc(1e6, 1));
  if (isKept) kept.push(...held);
  return { pid: process.pid, held: held.length };
});
