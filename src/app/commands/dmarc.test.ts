// `galley dmarc` on files, folders and what is none, without a server.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

const MAIN = join(import.meta.dirname, '../../main.ts');
const CORPUS = join(import.meta.dirname, '../../../test/fixtures/dmarc-reports');
const REPORT = join(CORPUS, 'parsedmarc/aggregate/rfc9990-sample.xml');

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-dmarc-'));
});
after(() => rm(folder, { recursive: true }));

function galley(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [MAIN, 'dmarc', ...args],
      { cwd: folder, env: { PATH: process.env['PATH'] ?? '' } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

describe('galley dmarc', () => {
  it('says who sends, what passes and what p=reject would refuse', async () => {
    const { code, stdout } = await galley('--offline', REPORT);
    assert.equal(code, 0, stdout);
    assert.match(
      stdout,
      new RegExp(
        '^example\\.com: 123 messages in 1 report of 1 organization, 1979-08-07 to 1979-08-07; ' +
          'p=quarantine sp=none np=none\\n {2}123 pass DMARC, 0 fail$',
        'm',
      ),
    );
    assert.match(stdout, /^ {2}example\.com +123 +123 +0$/m);
    assert.match(stdout, /What breaks at p=reject: Nothing of what was reported would have been refused/);
    assert.match(stdout, /Addresses were not looked up in DNS/);
  });

  it('reads a folder, counts a report once, and names what it could not read', async () => {
    await cp(CORPUS, join(folder, 'all'), { recursive: true });
    await cp(REPORT, join(folder, 'all/again.xml'));
    await writeFile(join(folder, 'all/bad.xml'), '<!DOCTYPE a><feedback>');
    const { code, stdout } = await galley('--offline', '--json', 'all');
    assert.equal(code, 1);
    const json = JSON.parse(stdout);
    assert.deepEqual(
      json.refused.map(({ name }: { name: string }) => name.replaceAll('\\', '/').split('/').at(-1)),
      ['bad.xml', 'counts.json', 'exim_plain_text_only_no_arf_part.eml: mail'],
    );
    assert.equal(json.names_looked_up, false);
    assert.equal(json.known_senders_of, '2026-07-16');
    const viewed = json.domains.find(({ domain }: { domain: string }) => domain === 'example.com');
    assert.equal(viewed.messages, viewed.passing + viewed.failing);
    assert.equal(viewed.failing, viewed.yours + viewed.forwarded + viewed.unknown);
    assert.ok(json.duplicates >= 1);
  });

  it('does not let a report move the cursor', async () => {
    const hostile =
      '<feedback><report_metadata><org_name>&#27;[2J</org_name><report_id>&#27;]0;x&#7;</report_id><date_range>' +
      '<begin>1</begin><end>2</end></date_range></report_metadata><policy_published><domain>example.com</domain>' +
      '<p>&#27;[31m</p></policy_published></feedback>';
    await writeFile(join(folder, 'hostile.xml'), hostile);
    const { stdout } = await galley('--offline', 'hostile.xml');
    assert.deepEqual(
      ['\u001b', '\u0007'].filter((sign) => stdout.includes(sign)),
      [],
    );
  });

  it('says what is wrong with a command line', async () => {
    const none = await galley();
    assert.equal(none.code, 2);
    assert.match(none.stderr, /Name a report, or a folder of them/);
    const missing = await galley('nowhere.xml');
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /nowhere\.xml cannot be read/);
    const option = await galley('--ofline', 'x');
    assert.equal(option.code, 2);
    assert.match(option.stderr, /Unknown option --ofline\. Did you mean "--offline"\?/);
    await writeFile(join(folder, 'empty.xml'), '');
    const { code, stdout } = await galley('--offline', 'empty.xml');
    assert.equal(code, 2);
    assert.match(stdout, /NOT READ {2}empty\.xml: It is empty\./);
  });
});
