import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { spamdAbsence, startSpamd } from '../../../test/harness/spamd.ts';

const MAIN = join(import.meta.dirname, '../../main.ts');
const LETTER =
  '<!doctype html><html lang="en"><head><title>The garden in November</title></head><body><h1>The garden in ' +
  'November</h1><p>Dear Anna, the last tulips want to go into the ground before the first hard frost, and ' +
  'the leaves may stay under the hedge, where hedgehogs sleep.</p><p><a href="https://news.example/leave">' +
  'Unsubscribe</a></p></body></html>';
const SCAM = `From: Winner <win@free-money.example>
To: you@reader.example
Subject: YOU WON $$$ ACT NOW!!!
Date: ${new Date().toUTCString().replace('GMT', '+0000')}
Message-ID: <1@free-money.example>
MIME-Version: 1.0
Content-Type: text/html

<p>Dear friend, CONGRATULATIONS, you have won one million dollars! <a href="http://bit.ly/x">http://paypal.com</a> Viagra, 100% free, risk free, act now!</p>
`;

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-spam-'));
  await writeFile(join(folder, 'letter.html'), LETTER);
  await writeFile(join(folder, 'scam.eml'), SCAM);
});
after(() => rm(folder, { recursive: true }));

const galley = (...args: string[]) => galleyWith({}, ...args);

function galleyWith(
  settings: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [MAIN, 'spam', ...args],
      { cwd: folder, env: { PATH: process.env['PATH'] ?? '', GALLEY_FIND_FILTERS: 'off', ...settings } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

describe('galley spam', () => {
  it('ends with 0 for a letter that every receiver takes, and says why', async () => {
    const { code, stdout } = await galley('letter.html', '--offline');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /There is no DNS: authentication could not be checked/);
    assert.match(stdout, /^ {2}inbox +Simulated strict corporate gateway /m);
    assert.match(stdout, /^ {2}dkim +pass /m);
    assert.match(stdout, /^Filter built-in: [\d.]+ of 5 points: nothing found$/m);
    assert.match(
      stdout,
      /^ {2}Accuracy, measured on \d{4}-\d\d-\d\d:\n {4}Finds [\d.]+ % \([\d.]+–[\d.]+ %\) of [\d,]+ messages: /m,
    );
    assert.match(
      stdout,
      /^Filters that are not available\n {2}Rspamd was not looked for: GALLEY_FIND_FILTERS is off\..*\n {4}→ Set GALLEY_RSPAMD=/m,
    );
    assert.doesNotMatch(stdout, /\bham\b(?! of)|\bclean\b/);
  });

  it('ends with 1 for spam, with every rule, its points and what to do, as JSON too', async () => {
    const { code, stdout } = await galley(
      'scam.eml',
      '--offline',
      '--as',
      'ip=203.0.113.9,helo=mail.free-money.example,rdns=,from=win@free-money.example',
    );
    assert.equal(code, 1);
    assert.match(stdout, /^ +1\.6 {2}BODY_PHARMACY .*“Viagra”\.\n +→ /m);
    const asJson = await galley('scam.eml', '--offline', '--format', 'json', '--as', 'ip=203.0.113.9,rdns=');
    const { offline, receivers, analysis, findings } = JSON.parse(asJson.stdout);
    assert.deepEqual(
      [asJson.code, offline, receivers.length, analysis.envelope.ip, analysis.sender.kind],
      [1, true, 8, '203.0.113.9', 'given'],
    );
    assert.ok(receivers.every(({ placement }: any) => placement === 'spam' || placement === 'rejected'));
    assert.equal(analysis.authentication.find(({ method }: any) => method === 'reverse-dns').result, 'permerror');
    assert.ok(findings.some(({ rule, severity }: any) => rule === 'spam/body-pharmacy' && severity === 'error'));
  });

  it('ends with 2 for what is no message, and for a wrong setting', async () => {
    await writeFile(join(folder, 'empty.eml'), '');
    await writeFile(join(folder, 'empty.html'), ' \n');
    assert.deepEqual(await galley('empty.eml', '--offline'), {
      code: 2,
      stdout: '',
      stderr: 'empty.eml holds no message: neither an HTML nor a text part under a header with From.\n',
    });
    assert.deepEqual(await galley('empty.html', '--offline'), {
      code: 2,
      stdout: '',
      stderr: 'empty.html holds no HTML.\n',
    });
    const { code, stderr } = await galleyWith({ GALLEY_SPAMD: 'nonsense' }, 'letter.html', '--offline');
    assert.deepEqual([code, /GALLEY_SPAMD is "nonsense"/.test(stderr)], [2, true], stderr);
  });

  it('ends with 2 for a wrong command line, and says what is right', async () => {
    for (const [args, message] of [
      [[], /^Name one message\./],
      [['nothing.eml'], /^nothing\.eml cannot be read: /],
      [['letter.html', '--as', 'color=blue'], /^--as: "color=blue" is none of ip=…/],
      [['letter.html', '--as', 'ip=here'], /^--as: ip "here" is not an IP address\./],
      [['letter.html', '--format', 'xml'], /^--format must be pretty or json\./],
    ] as const) {
      const { code, stderr } = await galley(...args);
      assert.deepEqual([code, message.test(stderr)], [2, true], stderr);
    }
  });
});

/** A message that we wrote: a test of rules. */
const GERMAN =
  '<!doctype html><html lang="de"><head><title>Über Nacht reich</title></head><body><p>Lieber Kunde, werden Sie ' +
  'über Nacht reich: Verdienen Sie 5.000 € pro Woche ohne Arbeit, mit garantierter Rendite und 100 % gratis, ohne ' +
  'Risiko. Geben Sie Ihr Passwort ein. Jetzt handeln, nur heute, innerhalb von 24 Stunden, die Anzahl ist begrenzt! ' +
  '<a href="https://bit.ly/x">Hier klicken</a></p></body></html>';

describe('galley spam in German', () => {
  it('finds a promise of quick riches, which was 0.2 points, and no receiver takes it to the inbox', async () => {
    await writeFile(join(folder, 'german.html'), GERMAN);
    const { code, stdout } = await galley('german.html', '--offline', '--format', 'json');
    const { receivers, analysis } = JSON.parse(stdout);
    const own = analysis.filters.find(({ engine }: any) => engine === 'built-in');
    assert.deepEqual(
      [code, own.verdict, own.measured.language.code],
      [1, 'spam', 'de'],
      JSON.stringify(own.rules.map(({ rule, points }: any) => [rule, points])),
    );
    assert.deepEqual(
      receivers.filter(({ placement }: any) => placement === 'inbox' || placement === 'category'),
      [],
    );
  });
});

const PHISHING = `From: "Customer Care" <care@yourbank-help.example>
To: Anna Berg <anna@reader.example>
Subject: Please confirm your details
Date: ${new Date().toUTCString().replace('GMT', '+0000')}
Message-ID: <1.2@yourbank-help.example>
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary=part

--part
Content-Type: text/plain; charset=utf-8

Hello Anna, your account has been suspended. To open it again, confirm your password and enter your card number
within 24 hours on the page of the bank. Failure to do so will result in closure of the account.
--part
Content-Type: text/html; charset=utf-8

<html><body><p>Hello Anna, your account has been suspended. To open it again, confirm your password and enter your card number
within 24 hours on the page of the bank: <a href="https://login.safe-verify.example/start">https://www.yourbank.com/login</a>
Failure to do so will result in closure of the account.</p></body></html>
--part--
`;

describe('galley spam beside SpamAssassin', { skip: spamdAbsence ?? false }, () => {
  it('leaves a phishing mail where it was when SpamAssassin finds nothing in it', async () => {
    await writeFile(join(folder, 'phishing.eml'), PHISHING);
    const spamd = await startSpamd();
    try {
      const judged = async (settings: Record<string, string>) =>
        JSON.parse(
          (
            await galleyWith(
              settings,
              'phishing.eml',
              '--offline',
              '--format',
              'json',
              '--as',
              'ip=203.0.113.9,helo=mail.yourbank-help.example,rdns=mail.yourbank-help.example,' +
                'from=care@yourbank-help.example',
            )
          ).stdout,
        );
      const [alone, beside] = [await judged({}), await judged({ GALLEY_SPAMD: spamd.address })];
      const said = Object.fromEntries(
        beside.analysis.filters.map(({ engine, score, threshold }: any) => [engine, score >= threshold]),
      );
      assert.deepEqual(said, { spamassassin: false, 'built-in': true });
      const lostAt = ({ receivers }: any): string[] =>
        receivers
          .filter(({ placement }: any) => placement === 'spam' || placement === 'rejected')
          .map(({ receiver }: any) => receiver);
      assert.ok(lostAt(alone).length >= 7, lostAt(alone).join());
      assert.deepEqual(
        lostAt(alone).filter((receiver) => !lostAt(beside).includes(receiver)),
        [],
        'receivers that take the mail now',
      );
    } finally {
      await spamd.close();
    }
  });
});
