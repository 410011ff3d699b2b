// One process has the embedded database; others of its user may ask it for a copy of the files as they are at one
// moment. It listens on loopback; the port and the word that opens stand in a file that only its user reads.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

interface Place {
  port: number;
  word: string;
}

type Answer = { dir: string } | { refusal: string };

const WORD_BYTES = 32;
const LINE_BYTES_MAX = 1000;
/** For saying the word; copying has no bound. */
const ASK_MS = 5000;

const doorPath = (dir: string): string => `${dir}.door`;

function isWord(said: string, word: string): boolean {
  const [one, other] = [Buffer.from(said), Buffer.from(word)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Calls `take` with the first line that arrives, once. */
function onLine(socket: Socket, take: (line: string) => void): void {
  let text = '';
  const more = (chunk: string): void => {
    text += chunk;
    const end = text.indexOf('\n');
    if (end === -1 && text.length <= LINE_BYTES_MAX) return;
    socket.off('data', more);
    if (end === -1) socket.destroy();
    else take(text.slice(0, end));
  };
  socket.setEncoding('utf8').on('data', more);
}

/**
 * Answers who says the word with a copy that `copy` makes; it is deleted when the caller hangs up. Where nothing can
 * listen there is no door.
 */
export function openDoor(dir: string, copy: () => Promise<string>): { close(): void } {
  const word = randomBytes(WORD_BYTES).toString('hex');
  const open = new Set<Socket>();
  const answer = async (socket: Socket): Promise<void> => {
    let copied: string | undefined;
    socket.once('close', () => copied !== undefined && removeCopy(copied));
    let said: Answer;
    try {
      copied = await copy();
      said = { dir: copied };
    } catch (error) {
      said = { refusal: error instanceof Error ? error.message : String(error) };
    }
    if (socket.destroyed && copied !== undefined) removeCopy(copied);
    else socket.write(`${JSON.stringify(said)}\n`);
  };
  const server = createServer((socket) => {
    open.add(socket);
    socket.setTimeout(ASK_MS, () => socket.destroy());
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    onLine(socket, (line) => {
      if (!isWord(line, word)) return void socket.destroy();
      socket.setTimeout(0);
      void answer(socket);
    });
  });
  server.on('error', () => undefined);
  server.listen({ port: 0, host: '127.0.0.1' }, () => {
    const place: Place = { port: (server.address() as AddressInfo).port, word };
    // Whole or not at all.
    const path = doorPath(dir);
    writeFileSync(`${path}.new`, JSON.stringify(place), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  });
  server.unref();
  return {
    close() {
      server.close();
      for (const socket of open) socket.destroy();
      rmSync(doorPath(dir), { force: true });
    },
  };
}

/** Deletes a copy with its lock. */
export function removeCopy(dir: string): void {
  for (const path of [dir, `${dir}.lock`, doorPath(dir)]) rmSync(path, { recursive: true, force: true });
}

async function readPlace(dir: string): Promise<Place | undefined> {
  try {
    return JSON.parse(await readFile(doorPath(dir), 'utf8')) as Place;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * A copy of the embedded database in `dir`, by the process that has it; `release` deletes it. Undefined: no process
 * answers. Throws the process's reason when it cannot copy.
 */
export async function askForCopy(dir: string): Promise<{ dir: string; release(): void } | undefined> {
  const place = await readPlace(dir);
  if (!place) return undefined;
  const socket = connect(place.port, '127.0.0.1');
  const said = await new Promise<Answer | undefined>((resolve) => {
    socket.on('error', () => resolve(undefined)).on('close', () => resolve(undefined));
    socket.once('connect', () => socket.write(`${place.word}\n`));
    onLine(socket, (line) => resolve(JSON.parse(line) as Answer));
  });
  if (said && 'dir' in said)
    return {
      dir: said.dir,
      release() {
        removeCopy(said.dir);
        socket.destroy();
      },
    };
  socket.destroy();
  if (said) throw new Error(`The running Galley could not copy its database: ${said.refusal}`);
  return undefined;
}
