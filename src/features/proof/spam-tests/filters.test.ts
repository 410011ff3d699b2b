// The filters of operators beside the built-in rules, where they are installed.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { rspamdAbsence, startRspamd, type RspamdDaemon } from '../../../../test/harness/rspamd.ts';
import { spamdAbsence, startSpamd, type SpamdDaemon } from '../../../../test/harness/spamd.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { dkimRecord, generateDkimKey, signDkim } from '../../../engines/mail-authentication/index.ts';
import { composeMessage } from '../../../engines/mime/index.ts';

const GTUBE = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';
const LETTER =
  '<!doctype html><html lang="en"><head><title>The garden in November</title></head><body><h1>The garden in November' +
  '</h1><p>Dear Anna, the last tulips want to go into the ground before the first hard frost, and the leaves may ' +
  'stay under the hedge, where hedgehogs sleep.</p><p>Your garden letter. <a href="https://news.example/leave">' +
  'Unsubscribe</a></p></body></html>';
const ENVELOPE = {
  ip: '8.8.8.8',
  helo: 'mail.news.example',
  reverse_dns: 'mail.news.example',
  mail_from: 'bounce@news.example',
};

describe('spam tests with SpamAssassin and Rspamd', { skip: spamdAbsence ?? rspamdAbsence ?? false }, () => {
  let app: App;
  let spamd: SpamdDaemon;
  let rspamd: RspamdDaemon;
  let privateKey: string;
  before(async () => {
    privateKey = await generateDkimKey('rsa-2048');
    const records = {
      'news.example': { A: ['8.8.8.8'], MX: ['10 mail.news.example'], TXT: ['v=spf1 ip4:8.8.8.8 -all'] },
      '_dmarc.news.example': { TXT: ['v=DMARC1; p=reject'] },
      's1._domainkey.news.example': { TXT: [dkimRecord(privateKey)] },
      'mail.news.example': { A: ['8.8.8.8'] },
    };
    const zone = Object.fromEntries([
      ...Object.entries(records).flatMap(([name, types]) =>
        Object.entries(types).map(([type, values]) => [`${name} ${type}`, values]),
      ),
      ['8.8.8.8.in-addr.arpa PTR', ['mail.news.example']],
    ]);
    [spamd, rspamd] = await Promise.all([startSpamd(), startRspamd(zone)]);
    app = await startApp(
      {
        GALLEY_ROLES: 'api,work,mail',
        GALLEY_SMTP_DOMAIN: 'galley.test',
        GALLEY_SPAMD: spamd.address,
        GALLEY_RSPAMD: rspamd.url,
      },
      { zone: records },
    );
  });
  after(async () => {
    await app?.close();
    await Promise.all([spamd?.close(), rspamd?.close()]);
  });

  async function test(body: object): Promise<any> {
    const { status, body: started } = await app.call('POST /v1/inspect/spam', { body });
    assert.equal(status, 201, JSON.stringify(started));
    for (;;) {
      const {
        body: { item },
      } = await app.call(`GET /v1/inspect/spam/${started.item.id}`);
      if (item.status !== 'processing') return item;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async function signed(html: string): Promise<string> {
    const at = app.clock.now();
    const { raw } = await composeMessage({
      from: { name: 'The Garden Letter', address: 'letter@news.example' },
      to: [{ name: 'Anna Berg', address: 'anna@reader.example' }],
      subject: 'The garden in November',
      html,
      text:
        'Dear Anna, the last tulips want to go into the ground before the first hard frost, and the leaves may stay ' +
        'under the hedge, where hedgehogs sleep. Your garden letter. Unsubscribe: https://news.example/leave',
      date: at,
      messageId: '<20261121.4711@news.example>',
      headers: [
        { name: 'List-Unsubscribe', value: '<https://news.example/leave/4711>' },
        { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
        { name: 'List-ID', value: 'The Garden Letter <letter.news.example>' },
      ],
    });
    return signDkim(raw, [{ domain: 'news.example', selector: 's1', privateKey }], at).toString('base64');
  }

  const saidOf = (item: any): Record<string, string> =>
    Object.fromEntries(item.analysis.filters.map(({ engine, verdict }: any) => [engine, verdict]));
  const placementsOf = (item: any): string[] =>
    [...item.results.b2c.results, ...item.results.b2b.results].map(({ placement }: any) => placement);

  it('shows what each says of an honest newsletter: nothing found, and every receiver takes it', async () => {
    const item = await test({ mime: await signed(LETTER), transfer_encoding: 'base64', envelope: ENVELOPE });
    assert.deepEqual(
      saidOf(item),
      { rspamd: 'nothing_found', spamassassin: 'nothing_found', 'built-in': 'nothing_found' },
      JSON.stringify(
        item.analysis.filters.map(({ engine, score, rules }: any) => [
          engine,
          score,
          rules.map(({ rule, points }: any) => [rule, points]),
        ]),
      ),
    );
    assert.deepEqual([...new Set(placementsOf(item))], ['inbox']);
    const webmail = item.results.b2c.results[0];
    assert.deepEqual(
      webmail.filters.map(({ engine }: any) => engine),
      ['rspamd', 'spamassassin', 'built-in'],
    );
    const rspamdSaid = item.analysis.filters[0];
    assert.ok(
      rspamdSaid.rules.some(({ rule }: any) => rule === 'R_SPF_ALLOW') &&
        rspamdSaid.rules.some(({ rule }: any) => rule === 'R_DKIM_ALLOW'),
      'Rspamd judges the assumed connection',
    );
  });

  it('shows GTUBE as spam in both, with what to do, and no receiver takes it', async () => {
    const item = await test({
      mime: await signed(LETTER.replace('Your garden letter', GTUBE)),
      transfer_encoding: 'base64',
      envelope: ENVELOPE,
    });
    const { rspamd: one, spamassassin: other } = saidOf(item);
    assert.deepEqual([one, other], ['spam', 'spam']);
    const hit = item.analysis.filters.find(({ engine }: any) => engine === 'spamassassin').rules[0];
    assert.deepEqual([hit.rule, hit.points >= 100, typeof hit.fix], ['GTUBE', true, 'string']);
    assert.ok(
      placementsOf(item).every((placement) => placement === 'spam' || placement === 'rejected'),
      placementsOf(item).join(),
    );
  });

  it('does not hold against a message that its stand-in sender is in no DNS', async () => {
    const item = await test({
      subject: 'The garden in November',
      html: LETTER,
      text: 'Dear Anna, the last tulips want to go into the ground.',
    });
    assert.deepEqual(
      saidOf(item),
      { rspamd: 'nothing_found', spamassassin: 'nothing_found', 'built-in': 'nothing_found' },
      JSON.stringify(
        item.analysis.filters.map(({ engine, score, rules }: any) => [
          engine,
          score,
          rules.map(({ rule, points }: any) => [rule, points]),
        ]),
      ),
    );
    assert.ok(
      !item.analysis.filters.some(({ rules }: any) =>
        rules.some(({ rule }: any) => /DKIM|SPF|HELO|RCVD_ILLEGAL_IP/.test(rule)),
      ),
    );
  });

  it('fills in the same for placement tests', async () => {
    const { body } = await app.call('POST /v4/inbox/tests', {
      body: { from: 'a@elsewhere.example', subject: 'x', html: 'x' },
    });
    const from = `news@${/sandbox\w+\.galley\.test/.exec(body.message)?.[0]}`;
    const { body: started } = await app.call('POST /v4/inbox/tests', {
      body: { from, subject: 'The garden in November', html: LETTER, seeds_per_provider: 1 },
    });
    for (;;) {
      const {
        body: { result },
      } = await app.call(`GET /v4/inbox/results/${started.result_id}`);
      if (result.status !== 'complete') {
        await new Promise((resolve) => setTimeout(resolve, 50));
        continue;
      }
      assert.deepEqual(
        [result.spamassassin.is_spam, result.spamassassin.required, result.filters.map(({ engine }: any) => engine)],
        [false, 5, ['rspamd', 'spamassassin', 'built-in']],
      );
      assert.ok(result.spamassassin.rules.every(({ name, short_description: said }: any) => name && said));
      return;
    }
  });
});
