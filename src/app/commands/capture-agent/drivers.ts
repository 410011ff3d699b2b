// What shows a message in a client and takes the picture.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

interface DriverJob {
  subject: string;
  /** Hostile: nothing but the client opens it. */
  message: Buffer;
}

export interface CaptureDriver {
  /** The picture, as a PNG. Throws where there is none; the message is the reason that Galley shows. */
  capture(job: DriverJob, signal: AbortSignal): Promise<Buffer>;
  close(): Promise<void>;
}

const COMMAND_MS = 120_000;
const OUTPUT_BYTES_MAX = 1_000_000;
const REASON_LENGTH_MAX = 300;
const run = promisify(execFile);

/** A command of the operator's, which gets the file of the message and the path of the picture. No shell reads them. */
export function commandDriver([program = '', ...args]: readonly string[]): CaptureDriver {
  return {
    async capture({ message }, signal) {
      const folder = await mkdtemp(join(tmpdir(), 'galley-capture-'));
      try {
        const [file, picture] = [join(folder, 'message.eml'), join(folder, 'picture.png')];
        await writeFile(file, message, { mode: 0o600 });
        const options = { signal, timeout: COMMAND_MS, maxBuffer: OUTPUT_BYTES_MAX };
        await run(program, [...args, file, picture], options).catch((error: Error & { stderr?: string }) => {
          const said = error.stderr?.trim().slice(-REASON_LENGTH_MAX);
          throw new Error(`The command failed: ${said || error.message.slice(0, REASON_LENGTH_MAX)}`, { cause: error });
        });
        return await readFile(picture).catch((error: unknown) => {
          throw new Error('The command wrote no picture.', { cause: error });
        });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    close: async () => undefined,
  };
}
