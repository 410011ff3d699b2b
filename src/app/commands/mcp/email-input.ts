// The email that a tool is asked about: a file below the server's folder, a URL, or text.
import { mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { Type, type Static } from 'typebox';
import { messageOf } from '../../../platform/errors/index.ts';
import { isSource } from '../sources/source-kinds.ts';
import { ToolError } from './run-galley.ts';

export const EMAIL_FIELDS = {
  path: Type.Optional(
    Type.String({ maxLength: 4096, description: 'An .html or .eml file below the folder of this server.' }),
  ),
  html: Type.Optional(Type.String({ maxLength: 10_485_760, description: 'The HTML of the email.' })),
  eml: Type.Optional(
    Type.String({ maxLength: 10_485_760, description: 'A whole message with its header lines (RFC 5322).' }),
  ),
  url: Type.Optional(
    Type.String({ pattern: '^https?://', maxLength: 2048, description: 'The address of a public page.' }),
  ),
  subject: Type.Optional(Type.String({ maxLength: 998, description: 'The subject, where the email has none.' })),
};

const EMAIL = Type.Object(EMAIL_FIELDS, { additionalProperties: false });
export type EmailInput = Static<typeof EMAIL>;

export interface OpenedEmail {
  /** What the command line is given. */
  source: string;
  /** How results call it. */
  name: string;
  /** Whether the source is a copy that nobody else sees. */
  isCopy: boolean;
  /** A folder of this call's own, removed afterwards. */
  workDir: string;
}

async function pathBelow(root: string, path: string): Promise<string> {
  const wanted = resolve(root, path);
  const real = await realpath(wanted).catch((error: unknown) => {
    throw new ToolError(`path: ${path} cannot be read: ${messageOf(error)}`);
  });
  const within = relative(root, real);
  if (within.startsWith('..') || isAbsolute(within))
    throw new ToolError(`path: ${path} is outside ${root}, the folder that this server may read (--root).`);
  if (!(await stat(real)).isFile()) throw new ToolError(`path: ${path} is not a file.`);
  // A tool that only reads runs no code that somebody put into the folder.
  if (isSource(real))
    throw new ToolError(
      `path: ${path} is a source, and making an email from it runs code of its project. Make it, and name the HTML; ` +
        'or run `galley check` in a terminal.',
    );
  return real;
}

/** Runs `work` on the email. Throws {@link ToolError} unless exactly one of path, html, eml and url is given. */
export async function withEmail<Result>(
  root: string,
  { path, html, eml, url }: EmailInput,
  work: (email: OpenedEmail) => Promise<Result>,
): Promise<Result> {
  const given = [path, html, eml, url].filter((value) => value !== undefined);
  if (given.length !== 1) throw new ToolError(`Give one of path, html, eml and url; ${given.length} were given.`);
  const workDir = await mkdtemp(join(tmpdir(), 'galley-mcp-'));
  try {
    if (path !== undefined)
      return await work({ source: await pathBelow(root, path), name: path, isCopy: false, workDir });
    if (url !== undefined) return await work({ source: url, name: url, isCopy: false, workDir });
    const name = html === undefined ? 'email.eml' : 'email.html';
    const source = join(workDir, name);
    await writeFile(source, html ?? eml ?? '', { mode: 0o600 });
    return await work({ source, name, isCopy: true, workDir });
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}
