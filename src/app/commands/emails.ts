// `galley emails`: emails with their versions, what tests say of them, and whether they are ready.
import { KEY_USAGE, SERVICE_OPTIONS, SERVICE_USAGE } from './service/connect.ts';
import { checkVerb, readArguments, UsageError } from './usage.ts';

const KINDS = ['previews', 'links', 'images', 'accessibility', 'code', 'spam', 'placement', 'gate'] as const;

const CONTENT = ['subject', 'from', 'type'];
/** What follows each word, and the options that go with it. */
const VERBS: Record<string, { words: readonly string[]; options: readonly string[] }> = {
  list: { words: [], options: ['search', 'folder', 'tag', 'limit'] },
  create: { words: ['SOURCE'], options: [...CONTENT, 'name', 'folder', 'tag'] },
  add: { words: ['EMAIL', 'SOURCE'], options: CONTENT },
  versions: { words: ['EMAIL'], options: ['limit'] },
  test: { words: ['EMAIL'], options: ['version', 'tests', 'from'] },
  overview: { words: ['EMAIL'], options: ['version'] },
  findings: { words: ['EMAIL'], options: ['version', 'limit'] },
  compare: { words: ['EMAIL', 'FROM', 'TO'], options: [] },
  review: { words: ['EMAIL'], options: ['version'] },
  approve: { words: ['EMAIL'], options: ['version', 'note'] },
  'request-changes': { words: ['EMAIL'], options: ['version', 'note'] },
  invite: { words: ['EMAIL'], options: ['name', 'days'] },
  delete: { words: ['EMAIL'], options: [] },
};

const USAGE = `galley emails <command> [options]

  list                    the emails, those that changed last first
  create SOURCE           makes an email of a file, a web address or - (standard input)
  add EMAIL SOURCE        adds a version to it
  versions EMAIL          its versions, newest first
  test EMAIL              starts tests of a version
  overview EMAIL          whether a version is ready, and what to repair first
  findings EMAIL          what tests found, by cause
  compare EMAIL FROM TO   what changed between two versions
  review EMAIL            what people say of a version, and whether they approve it
  approve EMAIL           approves a version
  request-changes EMAIL   requests changes to a version
  invite EMAIL            makes a link for a reviewer without an account
  delete EMAIL            deletes it with its versions; tests stay

  --name TEXT          with create: what it is called; with invite: who reviews
  --folder NAME        with create, list: such as Campaigns/Spring
  --tag TAG            with create, list; with create more than once
  --search TEXT        with list: a part of the name or the subject
  --subject TEXT       with create, add: of HTML
  --from SENDER        with create, add: of HTML; with test: who sends
  --type html|eml      with create, add: what the file is, where its name does not say so
  --version N          with test, overview, findings, review, approve, request-changes: default: the newest
  --note TEXT          with approve, request-changes: why
  --days N             with invite: how long the link works, 1 to 365; default: 14
  --tests NAMES        with test: some of ${KINDS.join(', ')}; default: the first six
  --limit N            with list, versions, findings: at most so many, 1 to 1000; default: 50
${SERVICE_USAGE}

EMAIL is the id of an email. ${KEY_USAGE}
Exit codes: 0 done (of overview: ready, of review: approved), 1 failed, or not so, 2 wrong usage, 130 after Ctrl-C.`;

/** Throws {@link UsageError}. */
function readTests(given: string | undefined): (typeof KINDS)[number][] {
  if (given === undefined) return KINDS.slice(0, 6);
  const names = given.split(',').map((name) => name.trim());
  const strange = names.find((name) => !KINDS.some((kind) => kind === name));
  if (strange !== undefined) throw new UsageError(`--tests takes ${KINDS.join(', ')}; "${strange}" is none of them.`);
  return KINDS.filter((kind) => names.includes(kind));
}

function readGiven(args: string[]) {
  const { values, positionals } = readArguments('emails', args, {
    ...SERVICE_OPTIONS,
    name: { type: 'string' },
    folder: { type: 'string' },
    tag: { type: 'string', multiple: true },
    search: { type: 'string' },
    subject: { type: 'string' },
    from: { type: 'string' },
    type: { type: 'string' },
    version: { type: 'string' },
    tests: { type: 'string' },
    limit: { type: 'string' },
    note: { type: 'string' },
    days: { type: 'string' },
  });
  if (values.help) return undefined;
  const [verb = '', ...words] = positionals;
  checkVerb('emails', positionals, { verbs: VERBS, usage: USAGE });
  const everywhere = ['help', ...Object.keys(SERVICE_OPTIONS)];
  const strange = Object.keys(values).find((name) => ![...everywhere, ...VERBS[verb]!.options].includes(name));
  if (strange !== undefined) throw new UsageError(`--${strange} does not go with \`galley emails ${verb}\`.`);
  const { type, version = 'latest', limit = '50', days = '14', tag = [], ...rest } = values;
  if (type !== undefined && type !== 'html' && type !== 'eml')
    throw new UsageError(`--type must be html or eml; it is "${type}".`);
  if (!/^(?:latest|[1-9]\d{0,5})$/.test(version))
    throw new UsageError(`--version must be a number from 1, or latest; it is "${version}".`);
  if (!/^[1-9]\d{0,3}$/.test(limit) || Number(limit) > 1000)
    throw new UsageError(`--limit must be a whole number from 1 to 1000; it is "${limit}".`);
  if (!/^[1-9]\d{0,2}$/.test(days) || Number(days) > 365)
    throw new UsageError(`--days must be a whole number from 1 to 365; it is "${days}".`);
  if (verb === 'invite' && !rest.name?.trim()) throw new UsageError('Say who reviews: --name TEXT.');
  if (verb === 'list' && tag.length > 1) throw new UsageError('Name one --tag to look for.');
  return {
    ...rest,
    verb,
    words,
    type: type as 'html' | 'eml' | undefined,
    version,
    tag,
    tests: readTests(values.tests),
    limit: Number(limit),
    days: Number(days),
  };
}

export type EmailsGiven = NonNullable<ReturnType<typeof readGiven>>;

/** Prints what is asked for, or what was done. Returns the exit code; throws {@link UsageError}. */
export async function emails(args: string[]): Promise<number> {
  const given = readGiven(args);
  if (given) return (await import('./emails/run-emails.ts')).runEmails(given);
  process.stdout.write(`${USAGE}\n`);
  return 0;
}
