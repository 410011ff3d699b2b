// Who can read the files of a folder: only the owner reads the data directory; files that a browser reads
// everybody, while its owner alone may change them.
import { chmodSync, lstatSync, readdirSync, statSync, type Stats } from 'node:fs';
import { access, constants, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const OTHERS = 0o077;
/** What Galley keeps in its data directory. */
const OWN = /^(db|db\.(lock|door|copy-[0-9a-f]+(\.lock)?)|objects|sending|spool|submission|secret\.key(\.[0-9a-f]+)?)$/;
/** Holds a file per picture: only looked through while it, or the directory that it is in, lies open. */
const LARGE = 'objects';

interface Rights {
  /** The mode that an entry must have, from the one it has. */
  wanted(info: Stats): number;
}

const OWNER_ONLY: Rights = { wanted: ({ mode }) => mode & 0o7777 & ~OTHERS };
const READABLE: Rights = {
  wanted: (info) => (info.mode & 0o7700) | (info.isDirectory() || (info.mode & 0o100) !== 0 ? 0o755 : 0o644),
};

function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}

/** False when it belongs to another user, or when the file system keeps no modes. */
function setMode(path: string, info: Stats, { wanted }: Rights): boolean {
  const mode = wanted(info);
  if ((info.mode & 0o7777) === mode) return true;
  try {
    chmodSync(path, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return true;
    if (code !== 'EPERM' && code !== 'EROFS') throw error;
    return false;
  }
  const now = statSync(path, { throwIfNoEntry: false });
  return now === undefined || (now.mode & 0o7777) === mode;
}

/**
 * Sets the mode of a file, or of everything in a folder and then its own, so that a folder which has the right one is
 * known to be finished. Links are left alone. Answers the first path whose mode could not be set.
 */
function setModes(path: string, info: Stats, rights: Rights): string | undefined {
  let refused: string | undefined;
  for (const name of info.isDirectory() ? readdirSync(path) : []) {
    const within = join(path, name);
    const entry = lstatSync(within, { throwIfNoEntry: false });
    if (entry === undefined || entry.isSymbolicLink()) continue;
    const failed = setModes(within, entry, rights);
    refused ??= failed;
  }
  return setMode(path, info, rights) ? refused : (refused ?? path);
}

/** The operator may have put a part elsewhere: a link is followed when nobody else can have made it. */
function followed(path: string): Stats | undefined {
  const link = lstatSync(path, { throwIfNoEntry: false });
  if (!link?.isSymbolicLink()) return link;
  return link.uid === process.getuid?.() || link.uid === 0 ? statSync(path, { throwIfNoEntry: false }) : undefined;
}

function refusal(path: string, dir: string): Error {
  const { mode, uid } = statSync(path);
  return new Error(
    `${path} lies open to other users of this machine (mode ${octal(mode)}) and belongs to user ${uid}, so that it ` +
      `could not be closed: give it to the user that Galley runs as (chown -R ${process.getuid?.()} ${dir}).`,
  );
}

const UNUSABLE: Record<string, string> = {
  EACCES: 'the user that Galley runs as may not write there',
  EPERM: 'the user that Galley runs as may not write there',
  EROFS: 'its disk is read-only',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file',
  ENOENT: 'nothing can be made there',
  ENOSPC: 'the disk is full',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
};

/** Node's own `recursive` tries for ever where a directory takes no entry, as `/proc` does. */
async function makeWithParents(dir: string): Promise<void> {
  try {
    await mkdir(dir, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(dir).isDirectory()) return;
    if (code !== 'ENOENT' || statSync(dirname(dir), { throwIfNoEntry: false })) throw error;
    await makeWithParents(dirname(dir));
    await mkdir(dir, { mode: 0o700 });
  }
}

async function make(dir: string): Promise<void> {
  try {
    await makeWithParents(dir);
    await access(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new Error(
      `The data directory ${dir} cannot be used: ${UNUSABLE[code] ?? code}. GALLEY_DATA_DIR names a ` +
        'directory that may be written to.',
      { cause: error },
    );
  }
}

/**
 * Makes the data directory when it is missing, and closes it and all that Galley keeps in it to other users. Answers
 * what the operator should know: that a directory with other things in it, or of another user, stays open itself.
 * Throws when something in it lies open and belongs to another user.
 */
export async function openDataDir(dir: string): Promise<string | undefined> {
  await make(dir);
  if (process.platform === 'win32') return undefined;
  const info = statSync(dir);
  const names = readdirSync(dir);
  const foreign = names.find((name) => !OWN.test(name) && name !== 'lost+found');
  const wasClosed = (info.mode & OTHERS) === 0;
  const isClosed = wasClosed || (foreign === undefined && setMode(dir, info, OWNER_ONLY));
  let keepsNoModes: string | undefined;
  for (const name of names.filter((entry) => OWN.test(entry))) {
    const path = join(dir, name);
    const entry = followed(path);
    if (entry === undefined || (name === LARGE && wasClosed && (entry.mode & OTHERS) === 0)) continue;
    const failed = setModes(path, entry, OWNER_ONLY);
    if (failed !== undefined && !isClosed && statSync(failed).uid !== process.getuid?.()) throw refusal(failed, dir);
    keepsNoModes ??= failed;
  }
  if (isClosed) return undefined;
  if (keepsNoModes !== undefined)
    return (
      `${keepsNoModes} stays open to other users of this machine (mode ${octal(statSync(keepsNoModes).mode)}): ` +
      'its file system keeps no modes. GALLEY_DATA_DIR names a directory on another one.'
    );
  const why = foreign === undefined ? `it belongs to user ${info.uid}` : `it holds ${foreign}, which is not Galley’s`;
  return `${dir} stays open to other users (mode ${octal(info.mode)}): ${why}. What Galley keeps in it is closed to them.`;
}

/** Lets every user read what is below a folder, as the browser's user must, and nobody but its owner change it. */
export function letOthersRead(dir: string): void {
  if (process.platform !== 'win32') setModes(dir, statSync(dir), READABLE);
}
