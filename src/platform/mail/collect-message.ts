// The bytes of a message as they come: in memory, and beyond a size, where that is allowed, in a file.
import type { SMTPServerDataStream } from 'smtp-server';
import { IncomingFile, type ReceivedFile } from './receive-file.ts';

/** How many bytes are held at once: all in all, and of one account. */
export class Ledger {
  readonly #max: number;
  readonly #perAccountMax: number;
  readonly #perAccount = new Map<string, number>();
  #all = 0;

  constructor(max: number, perAccountMax: number) {
    this.#max = max;
    this.#perAccountMax = perAccountMax;
  }

  /** What one message holds; nobody else's is counted where no account is known. */
  share(account: string | undefined): Share {
    let held = 0;
    const add = (bytes: number): void => {
      held += bytes;
      this.#all += bytes;
      if (account === undefined) return;
      const left = (this.#perAccount.get(account) ?? 0) + bytes;
      if (left > 0) this.#perAccount.set(account, left);
      else this.#perAccount.delete(account);
    };
    return {
      take: (bytes) => {
        const ofAccount = account === undefined ? 0 : (this.#perAccount.get(account) ?? 0);
        if (this.#all + bytes > this.#max || ofAccount + bytes > this.#perAccountMax) return false;
        add(bytes);
        return true;
      },
      release: () => add(-held),
    };
  }
}

interface Share {
  /** False: there is no room for them. */
  take(bytes: number): boolean;
  release(): void;
}

interface Collecting {
  bytesMax: number;
  memory: Share;
  /** Where a larger message goes; undefined: it is refused. */
  file?: { dir: string; bytesMax: number; share: Share } | undefined;
  timeoutMs: number;
  /** The message takes too long. */
  onTimeout(): void;
}

/** A file is the caller's to delete. */
type Collected = { raw: Buffer } | { file: ReceivedFile } | { refused: 'too_large' | 'overbooked' };

/** Reads a message to its end, also one that will be refused. Rejects when the sender leaves, or the disk fails. */
export async function collectMessage(stream: SMTPServerDataStream, collecting: Collecting): Promise<Collected> {
  const { bytesMax, memory, file, timeoutMs, onTimeout } = collecting;
  let [chunks, sizeBytes]: [Buffer[], number] = [[], 0];
  let refused: 'too_large' | 'overbooked' | undefined;
  let incoming: IncomingFile | undefined;
  let isWaiting = false;
  const write = (into: IncomingFile, chunk: Buffer): void => {
    if (into.write(chunk) || isWaiting) return;
    isWaiting = true;
    stream.pause();
    into.whenDrained(() => {
      isWaiting = false;
      stream.resume();
    });
  };
  // A client that drips bytes is never idle, so the message as a whole has a deadline too.
  const timer = setTimeout(onTimeout, timeoutMs);
  stream.on('data', (chunk: Buffer) => {
    // A message that will be refused is read to its end but not kept.
    if (refused) return;
    sizeBytes += chunk.length;
    const isLarge = sizeBytes > bytesMax;
    if (isLarge && (!file || sizeBytes > file.bytesMax)) refused = 'too_large';
    else if (!(isLarge ? file!.share : memory).take(chunk.length)) refused = 'overbooked';
    if (refused) chunks = [];
    else if (!isLarge) chunks.push(chunk);
    else {
      incoming ??= new IncomingFile(file!.dir);
      for (const one of [...chunks.splice(0), chunk]) write(incoming, one);
    }
  });
  try {
    await ended(stream);
    if (refused) {
      await incoming?.discard();
      return { refused };
    }
    return incoming ? { file: await incoming.finish() } : { raw: Buffer.concat(chunks) };
  } catch (error) {
    await incoming?.discard();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Events, since asynchronous iteration costs a tenth of all that receiving a message does. */
function ended(stream: SMTPServerDataStream): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once('end', resolve);
    stream.once('error', reject);
    stream.once('close', () =>
      reject(Object.assign(new Error('The sender left before its message ended.'), { code: 'ECONNECTION' })),
    );
  });
}
