// The files in the folder of a message on disk: its relative addresses name them.
import { readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

/** Stands for the folder of a file; no such host can exist (RFC 6761 §6.2). */
export const FOLDER_URL = 'https://folder.mail.test/';

const BYTES_MAX = 15 * 1024 * 1024;
const TYPES: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.svg': 'image/svg+xml',
  '.bmp': 'image/bmp',
  '.ico': 'image/x-icon',
  '.css': 'text/css',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
};

export interface FolderFile {
  type: string;
  body: Buffer;
}

const isWithin = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** The path of an address below {@link FOLDER_URL}; undefined where it names none that can be in the folder. */
export function pathBeside(folder: string, url: string): string | undefined {
  try {
    const path = join(folder, decodeURIComponent(new URL(url).pathname));
    return isWithin(folder, path) && !path.includes('\0') ? path : undefined;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Whether files of this name are read at all. */
export function isReadable(path: string): boolean {
  return extname(path).toLowerCase() in TYPES;
}

/** A file of the folder (a real path), never one outside it, symbolic links resolved; at most 15 MiB. */
export async function readBeside(folder: string, wanted: string): Promise<FolderFile | undefined> {
  const type = TYPES[extname(wanted).toLowerCase()];
  const path = type && (await realpath(wanted).catch(() => undefined));
  if (!type || path === undefined || !isWithin(folder, path)) return undefined;
  const facts = await stat(path);
  return facts.isFile() && facts.size <= BYTES_MAX ? { type, body: await readFile(path) } : undefined;
}
