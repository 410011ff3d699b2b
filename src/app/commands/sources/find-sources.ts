// Which files of a folder are sources of emails, and not parts of one.
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMjml } from '../../../engines/mjml/index.ts';
import { kindOfSource } from './source-kinds.ts';

/** More is no source that somebody wrote. */
const SOURCE_BYTES_MAX = 2 * 1024 * 1024;
/** A component of a web page looks the same but for what it is made of. */
const EMAIL_PACKAGE = /(?:from|require\()\s*['"](?:react-email|@react-email\/[\w-]+|jsx-email)['"]/;
const DEFAULT_EXPORT = /\bexport\s+default\b|\bexport\s*\{[^}]*\bas\s+default\b/;
/** A Vue file is an email in a project of Maizzle alone; what others fill is none. */
const MAIZZLE = '"@maizzle/framework"';
const WHOLE_VUE = /<(?:Layout|Html|html)[\s>]/;
const SLOT = /<slot[\s/>]/;
/** A whole page, or one that fills another. */
const WHOLE = /<!doctype\s|<html[\s>]|<body[\s>]|\{%-?\s*(?:extends|layout)\s/i;

/**
 * Whether a source makes an email by itself: a component that is exported by default and built of email components,
 * MJML from its root on, a template with a page of its own, a Vue file with one in a project of Maizzle.
 */
export async function isEmailSource(path: string): Promise<boolean> {
  if ((await stat(path)).size > SOURCE_BYTES_MAX) return false;
  const text = await readFile(path, 'utf8');
  const kind = kindOfSource(path);
  if (kind === 'component') return EMAIL_PACKAGE.test(text) && DEFAULT_EXPORT.test(text);
  if (kind === 'maizzle') return WHOLE_VUE.test(text) && !SLOT.test(text) && (await isOfMaizzle(path));
  return kind === 'mjml' ? isMjml(text) : WHOLE.test(text);
}

async function isOfMaizzle(path: string): Promise<boolean> {
  const about = await readFile(join(projectOf(path), 'package.json'), 'utf8').catch(() => '');
  return about.includes(MAIZZLE);
}

/** The nearest folder with a package.json: there a project is built. */
export function projectOf(path: string): string {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) return dirname(path);
  }
}
