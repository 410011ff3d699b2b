// Computing that may take long or much: engines read hostile messages in processes of their own, which have a bound of
// time and of memory and are ended when they pass it, so that the thread that answers never waits for them.
import { availableParallelism } from 'node:os';
import { messageOf } from '../errors/index.ts';
import type { Log } from '../log/index.ts';
import type { Computation } from './computation.ts';
import { ComputePool, type PoolOptions, type RunOptions } from './pool.ts';

export { defineComputation } from './computation.ts';
export { ComputeError } from './compute-error.ts';
export type { RunOptions } from './pool.ts';

export interface Compute {
  /** The output. Throws what the computation throws, {@link ComputeError} when it was ended, or the signal's reason. */
  run<Input, Output>(computation: Computation<Input, Output>, input: Input, options?: RunOptions): Promise<Output>;
  /** Starts a process before it is needed. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

interface ComputeOptions {
  /** 0: as many as there are cores, at most four. */
  processes: number;
  memoryMb: number;
  seconds: number;
  answerSeconds: number;
  log: Log;
}

const PROCESSES_MAX = 4;

/** Processes that compute, and the service's only way to engines that read what strangers wrote. */
export function openCompute({ processes, memoryMb, seconds, answerSeconds, log }: ComputeOptions): Compute {
  const options: PoolOptions = {
    processes: processes || Math.min(PROCESSES_MAX, availableParallelism()),
    memoryMb,
    seconds: { job: seconds, answer: answerSeconds },
    onOverrun: (error, computation) =>
      log.warn(
        { computation, message: messageOf(error), cause: messageOf(error.cause ?? '') },
        'a computation was ended',
      ),
  };
  return new ComputePool(options);
}

/** Computes in this process: for a command that serves nobody else. Nothing bounds it but Ctrl-C. */
export const computeHere: Compute = {
  run: async (computation, input, { signal, allow } = {}) => {
    signal?.throwIfAborted();
    allow?.();
    return computation.run(input);
  },
  warm: async () => {},
  close: async () => {},
};
