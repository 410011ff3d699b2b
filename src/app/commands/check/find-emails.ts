// The emails that a command line means: files, pages, standard input, and folders with everything below them.
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { messageOf } from '../../../platform/errors/index.ts';
import { findMessageFile, readMessageFile, STANDARD_INPUT, type MessageKind } from '../message-file.ts';
import { isEmailSource } from '../sources/find-sources.ts';
import { isMade, isSource } from '../sources/source-kinds.ts';
import { UsageError } from '../usage.ts';

/** What is an email by its name, where a folder is searched; other files in it are somebody else's. */
const EMAIL_ENDINGS: readonly string[] = ['.html', '.htm', '.eml'];
export const EMAILS_MAX = 1_000;
/** The most files and folders that are searched for emails. */
const ENTRIES_MAX = 100_000;

interface FoundEmails {
  /** Files, URLs, `-`; each once, in the order of the command line, files of a folder by name. */
  sources: string[];
  /** Every folder that was searched. */
  folders: string[];
}

/** What emails are made with beside sources: code, styles, text. Not `.json`: a report may be written beside an email. */
const PART_ENDINGS: readonly string[] = ['.css', '.scss', '.ts', '.js', '.mjs', '.cjs', '.txt', '.md', '.svg'];

/** Whether a new file of this name in a searched folder may be an email or change one. */
export function isWatchedName(name: string): boolean {
  return isEmailName(name) || PART_ENDINGS.includes(extname(name).toLowerCase());
}

/** Whether it is an email by its name, or may be a source of one. */
function isEmailName(name: string): boolean {
  return EMAIL_ENDINGS.includes(extname(name).toLowerCase()) || isSource(name);
}

/** Of a folder: what is an email by its name, or a source that makes one by itself. */
const isEmail = async (path: string, isMaking: boolean): Promise<boolean> =>
  !isSource(path) || (isMaking && isEmailSource(path));

function isUrl(source: string): boolean {
  return /^https?:/i.test(source);
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new UsageError(`${folder} cannot be read: ${messageOf(error)}`);
  });
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A link to a folder is not entered, so that no circle is. */
async function isFile(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}

function countOf(count: number): string {
  return count.toLocaleString('en');
}

function tooMany(folder: string, what: string): UsageError {
  return new UsageError(`${folder} holds more than ${what}; name a folder in it.`);
}

/** Emails below a folder, its own first. Hidden folders and `node_modules` are left out. Throws {@link UsageError}. */
async function searchFolder(root: string, isMaking: boolean): Promise<FoundEmails> {
  const found: FoundEmails = { sources: [], folders: [] };
  const waiting = [root];
  let looked = 0;
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    found.folders.push(folder);
    for (const entry of await entriesOf(folder)) {
      const path = join(folder, entry.name);
      looked += 1;
      if (looked > ENTRIES_MAX) throw tooMany(root, `${countOf(ENTRIES_MAX)} files and folders, too many to search`);
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules') waiting.push(path);
      if (isEmailName(entry.name) && (await isFile(entry, path)) && (await isEmail(path, isMaking)))
        found.sources.push(path);
      if (found.sources.length <= EMAILS_MAX) continue;
      throw tooMany(root, `${countOf(EMAILS_MAX)} emails, the most that one run checks`);
    }
  }
  return found;
}

function noEmail(root: string, isMaking: boolean): UsageError {
  const sources = isMaking ? 'none is a source of one' : 'sources are left out (--no-sources)';
  return new UsageError(`${root} holds no email: no file in it ends in ${EMAIL_ENDINGS.join(', ')}, and ${sources}.`);
}

async function isFolder(source: string): Promise<boolean> {
  if (isUrl(source) || source === STANDARD_INPUT) return false;
  return (await stat(source).catch(() => undefined))?.isDirectory() ?? false;
}

/**
 * Finds what is meant, and reads none of it: a file that is named may not be there, a folder may hold no email. Throws
 * {@link UsageError} for a folder that cannot be read, and for too many.
 */
export async function listEmails(
  given: readonly string[],
  isMaking: boolean,
): Promise<FoundEmails & { emptyFolders: string[] }> {
  const sources = new Map<string, string>();
  const [folders, emptyFolders]: [string[], string[]] = [[], []];
  for (const source of given) {
    const isSearched = await isFolder(source);
    const found = isSearched ? await searchFolder(source, isMaking) : { sources: [source], folders: [] };
    folders.push(...found.folders);
    if (found.sources.length === 0) emptyFolders.push(source);
    for (const one of found.sources) {
      const place = isUrl(one) || one === STANDARD_INPUT ? one : resolve(one);
      if (!sources.has(place)) sources.set(place, one);
    }
  }
  if (sources.size > EMAILS_MAX) {
    throw new UsageError(`These are ${countOf(sources.size)} emails; one run checks at most ${countOf(EMAILS_MAX)}.`);
  }
  return { sources: [...sources.values()], folders, emptyFolders };
}

/**
 * Finds what is to be checked, and reads each file once. Throws {@link UsageError} for a file that is not there or is
 * no email, and for a folder without one: before the others are checked for nothing.
 */
export async function findEmails(
  given: readonly string[],
  { type, isMaking }: { type: MessageKind | undefined; isMaking: boolean },
): Promise<FoundEmails> {
  const { sources, folders, emptyFolders } = await listEmails(given, isMaking);
  if (emptyFolders[0] !== undefined) throw noEmail(emptyFolders[0], isMaking);
  const files = sources.filter((source) => !isUrl(source) && source !== STANDARD_INPUT);
  for (const file of files) await findMessageFile(file);
  const source = isMaking ? undefined : files.find((file) => isMade(file, type));
  if (source !== undefined)
    throw new UsageError(`${source} is a source, and --no-sources was given: name the HTML that it makes.`);
  for (const file of files.filter((one) => !isMade(one, type))) {
    const { kind, html } = await readMessageFile(file, type);
    if (kind === 'html' && html.trim() === '') throw new UsageError(`${file}: html is empty.`);
  }
  return { sources, folders };
}
