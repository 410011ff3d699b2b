// The command line as people get it wrong: words, options, and files that are no email.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { FREE_PORTS, startProgram } from '../../../test/harness/program.ts';
import { VERSION } from '../version.ts';

const ROOT = join(import.meta.dirname, '../../..');
const HTML =
  '<!doctype html>\n<html lang="en" dir="ltr"><head><meta charset="utf-8"><title>Spring</title></head><body>' +
  '<div lang="en" dir="ltr"><p>Words</p></div></body></html>\n';
const MAIL =
  'From: a@example.com\r\nTo: b@example.com\r\nSubject: Spring\r\nMIME-Version: 1.0\r\n' +
  `Content-Type: text/html; charset=utf-8\r\n\r\n${HTML}`;
const AT_ONCE = 3;

interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

let dir: string;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'galley-words-'));
});
after(() => rm(dir, { recursive: true, force: true }));

async function galley(args: readonly string[], input?: string | Buffer): Promise<Ran> {
  const program = startProgram([process.execPath, join(ROOT, 'bin/galley.mjs'), ...args], {
    cwd: dir,
    env: {
      GALLEY_OPTIONAL_ENGINES: 'off',
      GALLEY_BROWSERS: '1',
      ...FREE_PORTS,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  program.child.stdin?.on('error', () => undefined).end(input ?? '');
  const { code } = await program.ended;
  return { code, stdout: program.stdout(), stderr: program.stderr() };
}

/** Runs several commands, a few at a time. */
async function each<Case extends readonly [readonly string[], ...unknown[]]>(
  cases: readonly Case[],
  judge: (ran: Ran, given: Case) => void,
): Promise<void> {
  const left = [...cases];
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) judge(await galley(next[0]), next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

describe('galley', () => {
  it('shows help for every command, in both spellings, starts nothing and makes nothing', async () => {
    const cases = (
      [
        'start',
        'preview',
        'check',
        'spam',
        'send',
        'logs',
        'message',
        'queue',
        'keys-zone',
        'validate',
        'sandbox',
        'keys',
      ] as const
    ).flatMap(
      (verb) =>
        [
          [[verb, '--help'], verb],
          [['help', verb], verb],
        ] as const,
    );
    await each(
      [...cases, [['start', '-h'], 'start'], [['keys', 'create', '--help'], 'keys']] as const,
      ({ code, stdout, stderr }, [args, verb]) => {
        assert.deepEqual([code, stderr, stdout.startsWith(`galley ${verb}`)], [0, '', true], args.join(' '));
        assert.match(stdout, /Exit codes: /);
      },
    );
    assert.equal(existsSync(join(dir, '.galley')), false);
  });

  it('names its version and its commands', async () => {
    await each([[['--version']], [['version']], [['-v']]], ({ code, stdout }) =>
      assert.deepEqual([code, stdout], [0, `${VERSION}\n`]),
    );
    await each([[['--help']], [['help']], [['-h']]], ({ code, stdout }) =>
      assert.deepEqual([code, stdout.startsWith('galley <command> [options]\n')], [0, true]),
    );
  });

  it('ends with 2 for wrong words and options, and says what is right', async () => {
    const cases: [string[], RegExp][] = [
      [[], /^galley <command> \[options\]\n/],
      [['chek', 'mail.html'], /^Unknown command "chek"\. Did you mean "check"\?\n$/],
      [['help', 'strat'], /^Unknown command "strat"\. Did you mean "start"\?\n$/],
      [['constructor'], /^Unknown command "constructor"\.\n\ngalley <command>/],
      [['start', '--port', '80'], /^Unknown option --port\. `galley start --help` lists the options\.\n$/],
      [['start', '8080'], /^galley start takes no arguments; it was given "8080"\.\n/],
      [
        ['check', 'a.html', '--formt', 'json'],
        /^Unknown option --formt\. Did you mean "--format"\? `galley check --help` lists the options\.\n$/,
      ],
      [['check', 'a.html', '--format'], /^--format needs a value\. `galley check --help` lists the options\.\n$/],
      [['check', 'a.html', '--policy', '--fix'], /^--policy needs a value\./],
      [['check', 'a.html', '--type', 'pdf'], /^--type must be one of html, eml; it is "pdf"\.\n$/],
      [['check', '-', '--fix'], /^--fix needs files: standard input is read once and not written\.\n$/],
      [['preview', 'a.html', 'b.html'], /^galley preview takes one message at a time\.\n$/],
      [['preview', '--clint', 'x'], /^Unknown option --clint\./],
      [['spam', '--subject'], /^--subject needs a value\./],
      [['keys'], /^galley keys list \| create \| revoke ID/],
      [['keys', 'lst'], /^Unknown command "keys lst"\. Did you mean "list"\?/],
      [['keys', 'revoke'], /^Name the id of the key to revoke/],
      [['keys', 'list', 'x'], /^galley keys list takes no arguments; "x" is too much\.\n$/],
      [['keys', 'list', '--role', 'admin'], /^--role goes with `galley keys create` only\.\n$/],
      [['users'], /^galley users list \| invite EMAIL/],
      [['users', 'invit'], /^Unknown command "users invit"\. Did you mean "invite"\?/],
      [['users', 'invite'], /^Name the email address of the user to invite/],
      [['users', 'reset'], /^Name the email address of the user to reset\.\n$/],
      [['users', 'reset', 'a@example.com', 'x'], /^galley users reset takes one email address; "x" is too much\.\n$/],
      [['users', 'reset', 'a@example.com', '--account', 'x'], /^--account does not go with `galley users reset`/],
      [['users', 'reset', 'a@example.com', '--role', 'admin'], /^--role goes with `galley users invite` only\.\n$/],
      [['users', 'list', 'x'], /^galley users list takes no arguments; "x" is too much\.\n$/],
      [['users', 'list', '--role', 'admin'], /^--role goes with `galley users invite` only\.\n$/],
      [
        ['users', 'invite', 'a@example.com', '--role', 'owner'],
        /^--role must be one of basic, billing, support, developer, admin; it is "owner"\.\n$/,
      ],
      [
        ['keys', 'create', '--role', 'owner'],
        /^--role must be one of admin, developer, support, basic, sending; it is "owner"\.\n$/,
      ],
      [
        ['keys', 'create', '--expires-days', '0'],
        /^--expires-days must be a whole number from 1 to 3650; it is "0"\.\n$/,
      ],
      [
        ['keys', 'create', '--expires-days', ''],
        /^--expires-days must be a whole number from 1 to 3650; it is ""\.\n$/,
      ],
    ];
    await each(cases, ({ code, stdout, stderr }, [args, message]) => {
      assert.deepEqual([code, stdout], [2, ''], `${args.join(' ')}: ${stderr}`);
      assert.match(stderr, message, args.join(' '));
    });
    assert.equal(existsSync(join(dir, '.galley')), false);
  });
});

describe('a file that is no email', () => {
  const files: [string, string | Buffer, RegExp][] = [
    [
      'compiled.html',
      '<!-- x -->\n<mjml><mj-body></mj-body></mjml>',
      /^compiled\.html is MJML, which no email client shows\. Name the \.mjml file, which is compiled, or the HTML that it becomes\.\n$/,
    ],
    ['package.json', '{"name": "<p>x</p>"}', /^package\.json is JSON, not an email\./],
    ['data.txt', '[1, 2]', /^data\.txt is JSON/],
    [
      'mail.erb',
      '<p>Hi <%= name %></p>',
      /^mail\.erb is a source from which emails are made\. Name the HTML that it makes; `--type html` takes it as it is\.\n$/,
    ],
    [
      'mail.msg',
      Buffer.from('d0cf11e0a1b11ae1000000', 'hex'),
      /^mail\.msg is a message in Outlook’s own format\. Save it as \.eml/,
    ],
    [
      'inbox.mbox',
      `From a@b Mon Jan  1 00:00:00 2026\n${MAIL}\n\nFrom a@b Mon Jan  1 00:00:00 2026\n${MAIL}`,
      /^inbox\.mbox is a mailbox of several messages\./,
    ],
    [
      'picture.png',
      Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      /^picture\.png is binary, neither HTML nor a message\./,
    ],
    ['picture.html', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /^picture\.html is binary/],
    [
      'logo.svg',
      '<svg xmlns="http://www.w3.org/2000/svg"><title>x</title></svg>',
      /^logo\.svg is <svg>, not an email\./,
    ],
    [
      'notes.txt',
      'Only words.\n',
      /^notes\.txt is neither HTML \(it has no tag\) nor a message \(it does not begin with header lines such as From and Subject\)\. /,
    ],
    ['words.html', 'Only words.\n', /^words\.html is neither HTML/],
    [
      'page.eml',
      HTML,
      /^page\.eml is no message: it does not begin with header lines such as From and Subject\. It looks like HTML: `--type html` takes it as that\.\n$/,
    ],
    ['nothing', '', /^nothing is empty\.\n$/],
  ];

  it('ends with 2 and the way out, for every command that takes one', async () => {
    for (const [name, content] of files) await writeFile(join(dir, name), content);
    await mkdir(join(dir, 'folder'), { recursive: true });
    const verbs = (name: string): string[][] =>
      ['mail.mjml', 'notes.txt'].includes(name) ? [['check'], ['preview'], ['spam', '--offline']] : [['check']];
    const cases = files.flatMap(([name, , message]) =>
      verbs(name).map(([verb, ...options]) => [[verb!, name, ...options], message] as const),
    );
    const folders = ['preview', 'spam'].map(
      (verb) => [[verb, 'folder'], /^folder is a folder; name the files in it, such as folder\/\*\.html\.\n$/] as const,
    );
    await each([...cases, ...folders], ({ code, stdout, stderr }, [args, message]) => {
      assert.deepEqual([code, stdout], [2, ''], `${args.join(' ')}: ${stderr}`);
      assert.match(stderr, message, args.join(' '));
    });
  });
});

describe('a file that is an email', () => {
  it('may name files beside it that cannot be read: a broken escape, a folder, one outside', async () => {
    await mkdir(join(dir, 'beside', 'folder.png'), { recursive: true });
    const images = ['100%.png', '%E0%A4%A.png', 'folder.png', '../outside.png'].map(
      (src) => `<img src="${src}" alt="A">`,
    );
    await writeFile(join(dir, 'beside', 'mail.html'), HTML.replace('<p>Words</p>', `<p>Words</p>${images.join('')}`));
    const commands = [
      [['preview', 'beside/mail.html', '--clients', 'gmail_chrome', '--out', 'beside/pictures'], 0],
      [['check', 'beside/mail.html', '--checks', 'images'], 1],
    ] as const;
    await each(commands, ({ code, stderr }, [args, expected]) => assert.equal(code, expected, `${args[0]}: ${stderr}`));
  });

  const kindOf = (email: any): string =>
    email.checks.some(({ findings }: any) => findings.some(({ rule }: any) => rule === 'hygiene/list-unsubscribe'))
      ? 'eml'
      : 'html';
  /** The kind and the name that each was checked as. */
  const checked = async (args: readonly string[], input?: string | Buffer): Promise<[string, string][]> => {
    const { stdout, stderr } = await galley(['check', ...args, '--checks', 'code', '--format', 'json'], input);
    assert.notEqual(stdout, '', stderr);
    return JSON.parse(stdout).emails.map((email: any) => [email.email, kindOf(email)]);
  };

  it('is taken whatever its name is, when its content or --type says what it is, and from standard input', async () => {
    await writeFile(join(dir, 'unnamed'), HTML);
    await writeFile(join(dir, 'raw.txt'), MAIL);
    await writeFile(join(dir, 'wide.eml'), Buffer.from(`\uFEFF${MAIL}`, 'utf16le'));
    await writeFile(join(dir, 'kept.hbs'), '<p>Hi {{name}}</p>');
    assert.deepEqual(await checked(['unnamed', 'raw.txt', 'wide.eml', '-'], MAIL), [
      ['unnamed', 'html'],
      ['raw.txt', 'eml'],
      ['wide.eml', 'eml'],
      ['stdin', 'eml'],
    ]);
    assert.deepEqual(await checked(['kept.hbs', '--type', 'html']), [['kept.hbs', 'html']]);
  });

  it('is read in UTF-16 and with a byte order mark, as Windows writes it', async () => {
    const text = HTML.replace('<p>Words</p>', '<p><a href="#">Grüße</a></p>');
    const names = ['le.html', 'be.html', 'bare.html', 'utf8.html'];
    const written = [
      Buffer.from(`\uFEFF${text}`, 'utf16le'),
      Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
      Buffer.from(text, 'utf16le'),
      Buffer.from(`\uFEFF${text}`, 'utf8'),
    ];
    for (const [index, name] of names.entries()) await writeFile(join(dir, name), written[index]!);
    const { stdout, stderr } = await galley(['check', ...names, '--checks', 'accessibility', '--format', 'json']);
    for (const email of JSON.parse(stdout).emails)
      assert.match(JSON.stringify(email), /The link “Grüße” leads nowhere/, `${email.email} ${stderr}`);
  });
});
