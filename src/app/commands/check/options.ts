// The command line of `galley check`, read and checked.
import { REPORT_FORMATS, type ReportFormat } from '../../../engines/reports/index.ts';
import { oneKind, STANDARD_INPUT, type MessageKind } from '../message-file.ts';
import { isMade } from '../sources/source-kinds.ts';
import { readArguments, UsageError } from '../usage.ts';
import { EMAILS_MAX } from './find-emails.ts';

/** `checks`: what `--checks` may name. */
export const usageOf = (checks: readonly string[]): string => `galley check <mail.html | mail.eml | URL>... [options]

A folder stands for every .html, .htm and .eml file below it (hidden folders and node_modules aside), and for each
source of an email; - stands for standard input. Sources are React Email and JSX Email (.tsx, .jsx), Maizzle (.vue),
MJML, Handlebars (.hbs), Liquid and Nunjucks (.njk): the programs of their project make them, with the data of --data or of
mail.data.json beside mail.hbs, and findings stand at the lines of the source. One run checks at most ${EMAILS_MAX.toLocaleString('en')} emails, and asks once for what several of them link to or show.

  --policy FILE     what makes an email fail, JSON (default ./galley.policy.json where there is one; see docs/guides/gate.md)
  --checks a,b      some of ${checks.join(', ')}; default: all but screenshots,
                    and screenshots too with --baseline
  --format NAME     pretty (default), json, sarif, junit, markdown or github
  --output FILE     the report goes there instead of standard output
  --also NAME=FILE  another report of the same run, such as --also junit=galley.xml; may be given several times
  --subject TEXT    subject, when the file has none
  --type html|eml   what the files are, where it cannot be told; a file named - is standard input
  --data FILE       JSON with a value for each merge tag; all emails are filled with it first. A component takes it
                    as its props
  --no-sources      make no email from a source: that runs code of its project, so leave it out for what strangers send
  --changed REF     only emails that changed since this branch left REF (main, a tag, a commit), committed or not: their
                    file, a picture or style sheet that they name, or their approved pictures; all when the policy did
  --quiet           no line on standard error for each email as it is done
  --baseline DIR    approved screenshots, DIR/<mail>/<client>.png; new pictures are held against them
  --clients a,b     client ids of the screenshots (\`galley preview --list\` shows all); default: those that the
                    baseline has, else the default clients
  --approve         write the screenshots into the baseline instead of comparing them
  --fix             repair what can be repaired in the HTML file itself, and show what changed
  --looks NAME      with --fix: keep (default) leaves the looks alone; adjust also repairs contrast, text size, line
                    height and the like, each by the smallest change, never making a dark mode worse
  --watch           check again whenever a file changes, until Ctrl-C

Exit codes: 0 passed, 1 failed by the policy, 2 could not run, or wrong usage. What a signal
ends has 128 and the signal's number: 130 after Ctrl-C.
No server and no database are used. Images beside an HTML file are read; private hosts are refused unless
GALLEY_ALLOW_HOSTS names them. Without a network, links are reported as unknown.`;

export interface CheckOptions {
  sources: string[];
  policyPath: string | undefined;
  checks: string[] | undefined;
  format: ReportFormat;
  output: string | undefined;
  /** Further reports of the same run. */
  also: { format: ReportFormat; output: string }[];
  subject: string | undefined;
  type: MessageKind | undefined;
  baselineDir: string | undefined;
  clients: string[] | undefined;
  isApproving: boolean;
  isFixing: boolean;
  /** What a repair may do. */
  looks: 'keep' | 'adjust';
  isWatching: boolean;
  /** Whether emails are made from sources, which runs code of their project. Not to be repaired: that is the source's. */
  isMaking: boolean;
  /** A branch, tag or commit: what is as it was there is left out. */
  changedSince: string | undefined;
  isQuiet: boolean;
  /** JSON with values for merge tags. */
  dataPath: string | undefined;
}

function listOf(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Throws {@link UsageError} naming the flag and what is valid. */
export function oneOf<Name extends string>(flag: string, names: readonly Name[], given: string): Name {
  if (!names.includes(given as Name))
    throw new UsageError(`${flag} must be one of ${names.join(', ')}; it is "${given}".`);
  return given as Name;
}

function isUrl(source: string): boolean {
  return /^https?:/i.test(source);
}

/** Whether `--fix` may write it; a folder is told apart later. */
export function isFixable(source: string, type: MessageKind | undefined): boolean {
  return !isUrl(source) && !/\.eml$/i.test(source) && !isMade(source, type);
}

const FORMATS = Object.keys(REPORT_FORMATS) as ReportFormat[];

/** `junit=galley.xml`. Throws {@link UsageError}. */
function readAlso(given: string): { format: ReportFormat; output: string } {
  const at = given.indexOf('=');
  const output = given.slice(at + 1);
  if (at < 0 || output === '')
    throw new UsageError(`--also must be a format and a file, such as junit=galley.xml; it is "${given}".`);
  return { format: oneOf('--also', FORMATS, given.slice(0, at)), output };
}

const OPTIONS = {
  policy: { type: 'string' },
  checks: { type: 'string' },
  format: { type: 'string', default: 'pretty' },
  output: { type: 'string' },
  also: { type: 'string', multiple: true },
  subject: { type: 'string' },
  type: { type: 'string' },
  data: { type: 'string' },
  'no-sources': { type: 'boolean', default: false },
  changed: { type: 'string' },
  baseline: { type: 'string' },
  clients: { type: 'string' },
  approve: { type: 'boolean', default: false },
  fix: { type: 'boolean', default: false },
  looks: { type: 'string' },
  watch: { type: 'boolean', default: false },
  quiet: { type: 'boolean', default: false },
} as const;

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>['values'];

/** What does not go together. Throws {@link UsageError}. */
function refuseUnfit(values: Values, sources: readonly string[], checks: readonly string[] | undefined): void {
  if (values.approve && values.baseline === undefined)
    throw new UsageError('--approve needs --baseline DIR, the folder for the screenshots.');
  if (values.clients !== undefined && values.baseline === undefined)
    throw new UsageError('--clients needs --baseline DIR: it selects the clients of the screenshots.');
  if (checks?.includes('screenshots') && values.baseline === undefined)
    throw new UsageError('--checks screenshots needs --baseline DIR.');
  const strange = sources.find((source) => !isFixable(source, oneKind(values.type)));
  if ((values.fix || values.watch) && sources.includes(STANDARD_INPUT))
    throw new UsageError(
      `${values.fix ? '--fix' : '--watch'} needs files: standard input is read once and not written.`,
    );
  if (values.fix && strange !== undefined) throw new UsageError(`--fix writes HTML files; ${strange} is none.`);
  if (values.looks !== undefined && !values.fix)
    throw new UsageError('--looks needs --fix: it says what a repair can change.');
  const unknown =
    values.changed === undefined ? undefined : sources.find((source) => isUrl(source) || source === STANDARD_INPUT);
  if (unknown !== undefined)
    throw new UsageError(`--changed asks git about files; it cannot tell whether ${unknown} changed.`);
  if (values.watch && sources.some(isUrl)) throw new UsageError('--watch watches files; a URL cannot be watched.');
}

/** `undefined` asks for the usage, and so does a line without sources. Throws {@link UsageError}. */
export function readOptions(args: string[]): CheckOptions | undefined {
  const { values, positionals } = readArguments('check', args, OPTIONS);
  if (values.help) return undefined;
  const sources = [...new Set(positionals)];
  const checks = listOf(values.checks);
  refuseUnfit(values, sources, checks);
  return {
    sources,
    checks,
    policyPath: values.policy,
    format: oneOf('--format', FORMATS, values.format),
    output: values.output,
    also: (values.also ?? []).map(readAlso),
    subject: values.subject,
    type: oneKind(values.type),
    baselineDir: values.baseline,
    clients: listOf(values.clients),
    isApproving: values.approve,
    isFixing: values.fix,
    looks: oneOf('--looks', ['keep', 'adjust'], values.looks ?? 'keep'),
    isWatching: values.watch,
    isMaking: !values['no-sources'] && !values.fix,
    changedSince: values.changed,
    isQuiet: values.quiet,
    dataPath: values.data,
  };
}
