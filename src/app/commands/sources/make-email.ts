// Emails made from sources: each project's in a process of its own, which keeps what it has loaded for the next one.
import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { sourcesOf, type FindSource, type SourcePlace } from '../../../engines/source/index.ts';
import type { MergeData } from '../../../engines/mail-template/index.ts';
import { fillFile, readMergeData } from '../merge-data.ts';
import { UsageError } from '../usage.ts';
import { tell } from '../tell.ts';
import { projectOf } from './find-sources.ts';
import { kindOfSource } from './source-kinds.ts';
import type { MakeAnswer, MakeOrder } from './wire.ts';

/** The first of a project loads all its packages. */
const MAKE_MS = 60_000;
const RUNNER = join(import.meta.dirname, 'runner.ts');

export interface MadeEmail {
  html: string;
  /** Where each tag was written, by whole paths; undefined where that could not be told. */
  sourceOf: FindSource | undefined;
  /** What it was made from: a change of one makes another email. Whole paths. */
  files: string[];
  folders: string[];
}

/** No email could be made of a source. */
export class NotMade extends UsageError {
  /** Where it may be mended, whole paths: in these files, or in a part that lies in these folders. */
  readonly files: readonly string[];
  readonly folders: readonly string[];

  constructor(message: string, path: string, files: readonly string[] = []) {
    super(message);
    this.files = [path, ...files];
    this.folders = [dirname(path)];
  }
}

/** One project's process; orders are carried out one after the other. */
class Project {
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  make(order: MakeOrder): Promise<MakeAnswer> {
    const made = this.#last.then(() => this.#order(order));
    this.#last = made.catch(() => undefined);
    return made;
  }

  #start(): ChildProcess {
    const child = fork(RUNNER, [], {
      cwd: this.#folder,
      execArgv: ['--disable-warning=ExperimentalWarning', '--enable-source-maps'],
      // What the project prints is for people; standard output is the report's.
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    child.stdout?.pipe(process.stderr, { end: false });
    // Code that never comes back hears nothing of the end of this process.
    const end = (): void => void child.kill('SIGKILL');
    process.once('exit', end);
    child.once('exit', () => {
      process.off('exit', end);
      if (this.#child === child) this.#child = undefined;
    });
    return child;
  }

  async #order(order: MakeOrder): Promise<MakeAnswer> {
    const child = (this.#child ??= this.#start());
    hold(child, true);
    const answer = Promise.withResolvers<MakeAnswer>();
    const failed = (reason: string, isSentence = false): void => answer.resolve({ ok: false, reason, isSentence });
    const onExit = (code: number | null, signal: string | null): void =>
      failed(`its project's process ended with ${signal ?? `exit code ${code}`} while it was made.`);
    const onError = (error: Error): void => failed(error.message);
    const timer = setTimeout(() => {
      failed(`is not made after ${MAKE_MS / 1000} seconds, the most that one email may take.`, true);
      child.kill('SIGKILL');
      // The next order must not be given to a process that is about to end.
      this.#child = undefined;
    }, MAKE_MS);
    child.once('exit', onExit).once('error', onError).once('message', answer.resolve);
    child.send(order, (error) => error && onError(error));
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      child.off('exit', onExit).off('error', onError).off('message', answer.resolve);
      hold(child, false);
    }
  }
}

/** Whether the command waits for the process; one that has nothing to do ends with the command. */
function hold(child: ChildProcess, isHeld: boolean): void {
  const handles = [child, child.channel, child.stdout as unknown as { ref?(): void; unref?(): void } | null];
  for (const handle of handles) {
    if (isHeld) handle?.ref?.();
    else handle?.unref?.();
  }
}

/** A project names its files from its own folder. */
const withWholePath = (place: SourcePlace | undefined, folder: string): SourcePlace | undefined =>
  place && { ...place, file: resolve(folder, place.file) };

const projects = new Map<string, Project>();

/** `mail.data.json` beside `mail.hbs`. */
const dataBeside = (path: string): string => `${path.slice(0, -extname(path).length)}.data.json`;

/**
 * Makes the HTML of a source with the given data, else with that of the file beside it (`mail.data.json`). Throws
 * {@link NotMade} with what the project's programs say.
 */
export async function makeEmail(source: string, given: MergeData | undefined): Promise<MadeEmail> {
  const path = resolve(source);
  if (!existsSync(path)) throw new UsageError(`${source} cannot be read: there is no such file.`);
  const beside = dataBeside(path);
  const data = given ?? (existsSync(beside) ? await readMergeData(beside, relative(process.cwd(), beside)) : undefined);
  const folder = projectOf(path);
  const project = projects.get(folder) ?? new Project(folder);
  projects.set(folder, project);
  // It takes no data as it is compiled: in what it becomes, they take the place of merge tags.
  const isFilledAfterwards = kindOfSource(path) === 'mjml';
  const made = await project.make({ path, data: isFilledAfterwards ? {} : (data ?? {}) });
  if (!made.ok) throw new NotMade(`${source}${made.isSentence ? '' : ':'} ${made.reason}`, path, made.files);
  for (const warning of made.warnings ?? []) tell(`${source}: ${warning}`);
  const filled = async (html: string): Promise<string> =>
    isFilledAfterwards ? (await fillFile(source, { kind: 'html', bytes: Buffer.from(html), html }, data)).html : html;
  const html = await filled(made.html);
  const { marked } = made;
  const written = marked === undefined ? undefined : sourcesOf(html, await filled(marked), path);
  return {
    html,
    sourceOf: written && ((offset) => withWholePath(written(offset), folder)),
    files: [...new Set([path, ...made.files, beside])],
    folders: made.folders,
  };
}
