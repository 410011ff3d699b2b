// A command of the project as a process of its own: what it writes, how it ends, and nothing left of it afterwards.
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';

/** Settings of a Galley that may run beside others: each of its ports is one that is free. */
export const FREE_PORTS = {
  GALLEY_PORT: '0',
  GALLEY_SMTP_PORT: '0',
  GALLEY_SUBMISSION_PORT: '0',
  GALLEY_SUBMISSION_TLS_PORT: '0',
} as const;

export interface Program {
  child: ChildProcess;
  /** Everything it wrote so far. */
  stdout(): string;
  stderr(): string;
  /**
   * What the pattern's first group holds, once the program has written it on standard output; rejects when it ends
   * before.
   */
  says(pattern: RegExp): Promise<string>;
  /** Resolves when it and whoever holds its output have ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Kills what is left of it and of its children. */
  end(): Promise<void>;
}

/** Starts `[command, ...args]` as the leader of a process group. Its environment is ours with what is given. */
export function startProgram([command, ...args]: readonly string[], { env, ...options }: SpawnOptions = {}): Program {
  const child = spawn(command!, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
    env: { ...process.env, ...env },
  });
  const said = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('error', (error) => (said.err += String(error)));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  return {
    child,
    stdout: () => said.out,
    stderr: () => said.err,
    ended,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(said.out);
          if (found) resolve(found[1] ?? found[0]);
        };
        child.stdout?.on('data', look);
        void ended.then(() => reject(new Error(`${command} ended before it said ${pattern}:\n${said.out}${said.err}`)));
        look();
      }),
    async end() {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
      await ended;
    },
  };
}
