// Which emails git says are other ones than where this branch left another: `--changed` checks those alone.
import { execFile } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../../platform/errors/index.ts';
import { projectOf } from '../sources/find-sources.ts';
import { isSource } from '../sources/source-kinds.ts';
import { UsageError } from '../usage.ts';
import { folderOf } from './baseline-dir.ts';

const GIT_MS = 60_000;
const NAMES_BYTES_MAX = 64 * 2 ** 20;
/** What a message shows or loads from a file beside it. */
const SHOWN = /\.(png|jpe?g|gif|webp|avif|svg|bmp|ico|css|woff2?|ttf|otf|mp4|webm)$/i;

/** What a source of an email may be made of beside other sources: code, data, settings, packages. */
const PART = /\.(?:[cm]?[jt]s|json|css)$/i;

/** What a git command prints. Throws {@link UsageError} with its first line when it fails. */
async function git(what: string, args: readonly string[]): Promise<string> {
  try {
    // A repository may name a program as its file monitor; reading needs none.
    const { stdout } = await promisify(execFile)('git', ['-c', 'core.fsmonitor=false', ...args], {
      timeout: GIT_MS,
      maxBuffer: NAMES_BYTES_MAX,
    });
    return stdout;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT') throw new UsageError('--changed needs git, which is not installed.');
    throw new UsageError(`--changed: ${what}: ${stderr.trim().split('\n', 1)[0] || messageOf(error)}`);
  }
}

const namesIn = (text: string, root: string): string[] =>
  text
    .split('\0')
    .filter(Boolean)
    .map((name) => join(root, name));

/**
 * Files that were changed, made or deleted since this branch left `ref`, committed or not: absolute paths, links
 * resolved. Of `asked` those are among them that git ignores, such as what a build made: it cannot tell. Throws
 * {@link UsageError} outside of a repository, and where git knows no such commit.
 */
async function listChanged(ref: string, asked: readonly string[]): Promise<Set<string>> {
  if (ref.startsWith('-') || ref === '')
    throw new UsageError(`--changed must name a branch, a tag or a commit, such as main; it is "${ref}".`);
  const root = (await git('this folder is in no git repository', ['rev-parse', '--show-toplevel'])).replace(
    /\r?\n$/,
    '',
  );
  await git(`git knows no commit "${ref}"`, ['rev-parse', '--verify', `${ref}^{commit}`]);
  const base = await git(
    `git finds no commit that "${ref}" and this branch share; fetch the whole history (in GitHub Actions: fetch-depth: 0)`,
    ['merge-base', ref, 'HEAD'],
  );
  const changed = await git('git cannot compare', ['diff', '--name-only', '--no-renames', '-z', base.trim()]);
  const fresh = await git('git cannot list new files', [
    '-C',
    root,
    'ls-files',
    '--others',
    '--exclude-standard',
    '-z',
  ]);
  const ignored = await git('git cannot look at every file', [
    '-C',
    root,
    '--literal-pathspecs',
    'ls-files',
    '--others',
    '--ignored',
    '--exclude-standard',
    '-z',
    '--',
    ...asked,
  ]);
  return new Set([changed, fresh, ignored].flatMap((names) => namesIn(names, root)));
}

async function placeOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

interface Asked {
  changedSince: string;
  policyPath: string | undefined;
  dataPath: string | undefined;
  baselineDir: string | undefined;
}

/**
 * Of these files those that were changed, that name a picture, font or style sheet that was (by the last part of its
 * name), or whose approved pictures were; sources, where anything of their project was that may be part of them; all
 * of them where the policy or the data of merge tags was.
 */
export async function changedEmails(
  sources: readonly string[],
  { changedSince, policyPath, dataPath, baselineDir }: Asked,
): Promise<string[]> {
  const places = await Promise.all(sources.map(placeOf));
  const changed = await listChanged(changedSince, places);
  for (const path of [policyPath, dataPath])
    if (path !== undefined && changed.has(await placeOf(path))) return [...sources];
  const names = [...changed]
    .filter((path) => SHOWN.test(path))
    .map((path) => basename(path))
    .flatMap((name) => [name, encodeURI(name)]);
  const wanted = [...new Set(names)];
  const parts = [...changed].filter((path) => (PART.test(path) || isSource(path)) && !places.includes(path));
  const pictures = baselineDir === undefined ? [] : [...changed].filter((path) => path.endsWith('.png'));
  const isConcerned = async (source: string, index: number): Promise<boolean> => {
    const place = places[index] as string;
    if (changed.has(place)) return true;
    if (isSource(place) && parts.some((path) => path.startsWith(projectOf(place) + sep))) return true;
    if (baselineDir !== undefined && pictures.length > 0) {
      const folder = await placeOf(folderOf(baselineDir, source));
      if (pictures.some((path) => path.startsWith(folder + sep))) return true;
    }
    const text = wanted.length > 0 ? await readFile(source, 'utf8') : '';
    return wanted.some((name) => text.includes(name));
  };
  const found: string[] = [];
  for (const [index, source] of sources.entries()) if (await isConcerned(source, index)) found.push(source);
  return found;
}
