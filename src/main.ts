// The only entry: `galley <verb>`.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { ConfigError } from './platform/config/index.ts';
import { AppError, messageOf } from './platform/errors/index.ts';
import { RUNTIME_DIR } from './platform/parts/places.ts';
import type { Verb } from './app/commands/completion.ts';
import { suggestionFor, UsageError } from './app/commands/usage.ts';
import { VERSION } from './app/version.ts';

// Compiling is a third of the time to start. Where the folder cannot be written to, nothing is kept.
enableCompileCache(join(RUNTIME_DIR, 'compile-cache'));

/** Verbs load lazily: `galley keys` has no use for a browser. */
const VERBS: Record<string, Verb> = {
  start: {
    about: 'serve the API, the dashboard, the workers and the mail listener',
    load: async () => (await import('./app/commands/start.ts')).start,
  },
  preview: {
    about: 'show a message in email clients, without a server',
    load: async () => (await import('./app/commands/preview.ts')).preview,
  },
  check: {
    about: 'run every check on a message and judge it by a policy, without a server',
    load: async () => (await import('./app/commands/check.ts')).check,
  },
  dev: {
    about: 'show the emails of a folder on a page, drawn and checked again at every save',
    load: async () => (await import('./app/commands/dev.ts')).dev,
  },
  spam: {
    about: 'judge a message as spam filters and receivers would, without a server',
    load: async () => (await import('./app/commands/spam.ts')).spam,
  },
  mcp: {
    about: 'offer previews, checks and repairs to an assistant (Model Context Protocol)',
    load: async () => (await import('./app/commands/mcp.ts')).mcp,
  },
  send: {
    about: 'send messages through a Galley that runs',
    load: async () => (await import('./app/commands/send.ts')).send,
  },
  logs: {
    about: 'show what happened to messages, and go on showing it',
    load: async () => (await import('./app/commands/logs.ts')).logs,
  },
  message: {
    about: 'show what happened to one message, with what was said to servers',
    load: async () => (await import('./app/commands/message.ts')).message,
  },
  queue: {
    about: 'show what waits for delivery, cancel it or try it now',
    load: async () => (await import('./app/commands/queue.ts')).queue,
  },
  'keys-zone': {
    about: 'print the DKIM keys that the operator publishes, as lines of a zone file',
    load: async () => (await import('./app/commands/keys-zone.ts')).keysZone,
  },
  validate: {
    about: 'say what is known of addresses, one by one or of a list',
    load: async () => (await import('./app/commands/validate.ts')).validate,
  },
  emails: {
    about: 'keep emails with their versions, test them, and say whether they are ready',
    load: async () => (await import('./app/commands/emails.ts')).emails,
  },
  sandbox: {
    about: 'make inboxes for programs under development, and show or await what came',
    load: async () => (await import('./app/commands/sandbox.ts')).sandbox,
  },
  dmarc: {
    about: 'say what reports of DMARC and TLS tell about a domain, without a server',
    load: async () => (await import('./app/commands/dmarc.ts')).dmarc,
  },
  blocklists: {
    about: 'show which blocklists hold an address or a domain, without a server',
    load: async () => (await import('./app/commands/blocklists.ts')).blocklists,
  },
  audit: {
    about: 'show who changed what, and from where, or export it',
    load: async () => (await import('./app/commands/audit.ts')).audit,
  },
  allowlist: {
    about: 'list and change the addresses from which an account is used',
    load: async () => (await import('./app/commands/allowlist.ts')).allowlist,
  },
  'capture-agent': {
    about: 'show messages in a real client of this machine, and send the pictures to a Galley',
    load: async () => (await import('./app/commands/capture-agent.ts')).captureAgent,
  },
  keys: { about: 'create, list and revoke API keys', load: async () => (await import('./app/commands/keys.ts')).keys },
  users: { about: 'invite, list and reset users', load: async () => (await import('./app/commands/users.ts')).users },
  backup: {
    about: 'write everything that is kept into one file, also while Galley runs',
    load: async () => (await import('./app/commands/backup.ts')).backup,
  },
  restore: {
    about: 'bring back what a backup holds, into an empty place',
    load: async () => (await import('./app/commands/restore.ts')).restore,
  },
  doctor: {
    about: 'say whether all that Galley stands on is in order, and how to mend it',
    load: async () => (await import('./app/commands/doctor.ts')).doctor,
  },
  completion: {
    about: 'print completions for bash, zsh or fish',
    load: async () => {
      const { completion } = await import('./app/commands/completion.ts');
      return (args) => completion(args, VERBS);
    },
  },
};

const HELP = `galley <command> [options]\n\n${Object.entries(VERBS)
  .map(([verb, { about }]) => `  ${verb.padEnd(13)} ${about}`)
  .join(
    '\n',
  )}\n\n\`galley <command> --help\` says more; \`galley --version\` names the version. Exit codes: 0 done, 1 failed, 2 wrong usage.\n`;

const HELPS = ['help', '--help', '-h'];
const VERSIONS = ['version', '--version', '-v', '-V'];

async function run([verb, ...args]: string[]): Promise<number> {
  if (verb === undefined) throw new UsageError(HELP.trimEnd());
  if (VERSIONS.includes(verb)) {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  if (HELPS.includes(verb)) {
    const about = args.find((word) => !word.startsWith('-'));
    if (about !== undefined && !HELPS.includes(about)) return run([about, '--help']);
    process.stdout.write(HELP);
    return 0;
  }
  if (!Object.hasOwn(VERBS, verb)) {
    const suggestion = suggestionFor(verb, [...Object.keys(VERBS), 'help', 'version']);
    throw new UsageError(`Unknown command "${verb}".${suggestion}${suggestion ? '' : `\n\n${HELP.trimEnd()}`}`);
  }
  return (await VERBS[verb]!.load())(args);
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const isExpected = error instanceof UsageError || error instanceof ConfigError || error instanceof AppError;
  process.stderr.write(
    `${isExpected || !process.env['GALLEY_LOG_LEVEL']?.includes('debug') ? messageOf(error) : (error as Error).stack}` +
      '\n',
  );
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
