// Reports of DMARC over HTTP and SMTP: kept once, for the account whose domain they are about, and what they say.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createTransport } from 'nodemailer';
import { connectSmtp } from '../../../../test/harness/smtp-client.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { createZoneDns, type DeclaredRecords } from '../../../platform/dns/index.ts';
import { dkimRecord, generateDkimKey } from '../../../engines/mail-authentication/index.ts';

const zone: Record<string, DeclaredRecords> = {
  '192.0.2.1': { PTR: ['o1.sendgrid.net'] },
  'o1.sendgrid.net': { A: ['192.0.2.1'] },
  '192.0.2.9': { PTR: ['mx.google.com'] },
  '_dmarc.example.com': { TXT: ['v=DMARC1; p=none; pct=50; rua=mailto:other@elsewhere.example'] },
  'example.com._report._dmarc.elsewhere.example': { TXT: ['v=DMARC1'] },
};
const privateKey = await generateDkimKey('rsa-2048');

let app: App;
/** Another account. */
let stranger: Record<string, string>;
before(async () => {
  zone['k._domainkey.receiver.example'] = { TXT: [dkimRecord(privateKey)] };
  app = await startApp(
    { GALLEY_ROLES: 'api,work,mail', GALLEY_SMTP_DOMAIN: 'galley.test' },
    { dns: { resolve: (name, type) => createZoneDns(zone).resolve(name, type) } },
  );
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
  stranger = { 'x-mailgun-on-behalf-of': body.subaccount.id };
  await app.call('POST /v4/domains', { body: { name: 'example.com' } });
});
after(() => app.close());

interface Given {
  ip: string;
  count: number;
  dkim?: string;
  own?: string;
  reason?: string;
}

const DAY = Math.floor(Date.now() / 86_400_000) * 86_400;
const day = (back: number): string => new Date((DAY - back * 86_400) * 1000).toISOString().slice(0, 10);

function report(id: string, rows: readonly Given[], { domain = 'example.com', back = 1, p = 'none' } = {}): string {
  const begin = DAY - back * 86_400;
  const records = rows.map(
    ({ ip, count, dkim = 'pass', own = dkim, reason }) =>
      `<record><row><source_ip>${ip}</source_ip><count>${count}</count><policy_evaluated>` +
      `<disposition>none</disposition><dkim>${dkim}</dkim><spf>fail</spf>${reason ? `<reason><type>${reason}</type></reason>` : ''}` +
      `</policy_evaluated></row><identifiers><header_from>${domain}</header_from></identifiers><auth_results>` +
      `${own === 'none' ? '' : `<dkim><domain>${domain}</domain><selector>s</selector><result>${own}</result></dkim>`}` +
      '</auth_results></record>',
  );
  return (
    `<feedback><report_metadata><org_name>Receiver</org_name><email>reports@receiver.example</email><report_id>${id}` +
    `</report_id><date_range><begin>${begin}</begin><end>${begin + 86_399}</end></date_range></report_metadata>` +
    `<policy_published><domain>${domain}</domain><p>${p}</p></policy_published>${records.join('')}</feedback>`
  );
}

async function upload(content: string | Buffer, { name = 'report.xml', headers = {} } = {}) {
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(Buffer.from(content))]), name);
  return app.call('POST /v1/dmarc/reports', { body, headers });
}

const FIRST: readonly Given[] = [
  { ip: '192.0.2.1', count: 90 },
  { ip: '192.0.2.2', count: 6, dkim: 'fail' },
  { ip: '192.0.2.9', count: 3, dkim: 'fail', own: 'none' },
  { ip: '192.0.2.4', count: 1, dkim: 'fail', reason: 'mailing_list' },
];

describe('a report', () => {
  it('is uploaded, counts once, and shows who sends and what p=reject would refuse', async () => {
    const content = gzipSync(report('one', FIRST));
    assert.deepEqual((await upload(content)).body, {
      accepted: [
        { kind: 'aggregate', domain: 'example.com', organization: 'Receiver', messages: 100, report_id: 'one' },
      ],
      duplicates: 0,
      refused: [],
    });
    assert.deepEqual((await upload(content)).body, { accepted: [], duplicates: 1, refused: [] });
    await app.idle();
    const chart = [{ date: day(1), pass: 90, fail: 10, quarantine: 0, reject: 0 }];
    const { body: list } = await app.call('GET /v1/dmarc/domains');
    const [{ last_report_at: last, ...domain }] = list.domains;
    assert.ok(!Number.isNaN(Date.parse(last)));
    const counts = { messages: 100, pass: 90, fail: 10, quarantine: 0, reject: 0 };
    assert.deepEqual(domain, { domain: 'example.com', reports: 1, organizations: 1, ...counts });
    assert.deepEqual(list.pfqr_chart, chart);
    const { body } = await app.call('GET /v1/dmarc/domains/EXAMPLE.com');
    assert.deepEqual(body.pfqr_chart, chart);
    assert.deepEqual([body.yours, body.forwarded, body.unknown, body.is_bound], [6, 1, 3, false]);
    assert.equal(
      body.rejection,
      'With p=reject, receivers would have been asked to refuse 10 of 100 messages (10.00 %): 6 that look like yours, ' +
        '1 that were passed on by others, and 3 that nothing ties to your domain. The last are forgeries, or mail of ' +
        'yours that neither signs nor is allowed by SPF; reports cannot tell these apart.',
    );
    assert.deepEqual(
      body.sources.map(({ source, named_by, fail, messages }: any) => [source, named_by, fail, messages]),
      [
        // The name of 192.0.2.9 does not lead back, so it is not Google.
        ['unknown', 'none', 10, 10],
        ['twilio-sendgrid', 'ptr', 0, 90],
      ],
    );
    assert.deepEqual(
      body.sources[0].evidence.map(({ kind, messages }: any) => [kind, messages]),
      [['signed', 6]],
    );
    assert.deepEqual(
      body.road.map(({ id, state }: any) => [id, state]),
      [
        ['record', 'next'],
        ['reports', 'later'],
        ['alignment', 'later'],
        ['quarantine', 'later'],
        ['held', 'later'],
        ['reject', 'later'],
      ],
    );
    assert.equal(body.next_policy, 'none');
  });

  it('is shown by source, host and address', async () => {
    const at = '/v1/dmarc/domains/example.com/s/twilio-sendgrid';
    const counts = { messages: 90, pass: 90, fail: 0, quarantine: 0, reject: 0 };
    const chart = [{ date: day(1), pass: 90, fail: 0, quarantine: 0, reject: 0 }];
    assert.deepEqual((await app.call(`GET ${at}`)).body, {
      source: 'twilio-sendgrid',
      hosts: [{ host: 'o1.sendgrid.net', ...counts, dkim_aligned: 90, spf_aligned: 0 }],
      pfqr_chart: chart,
    });
    assert.deepEqual((await app.call(`GET ${at}/h/o1.sendgrid.net`)).body, {
      host: 'o1.sendgrid.net',
      ips: [{ ip: '192.0.2.1', ...counts, dkim_aligned: 90, spf_aligned: 0 }],
      pfqr_chart: chart,
    });
    assert.deepEqual((await app.call(`GET ${at}/h/o1.sendgrid.net/ip/192.0.2.1`)).body, {
      ip: '192.0.2.1',
      ...counts,
      rows: [
        {
          date: day(1),
          organization: 'Receiver',
          messages: 90,
          disposition: 'none',
          dkim_aligned: true,
          spf_aligned: false,
          header_from: 'example.com',
          envelope_from: '',
          dkim: [{ domain: 'example.com', result: 'pass', selector: 's' }],
          spf: [],
          reasons: [],
        },
      ],
      pfqr_chart: chart,
    });
    const unknown = await app.call('GET /v1/dmarc/domains/example.com/s/unknown/h/unknown');
    assert.deepEqual(
      unknown.body.ips.map(({ ip }: any) => ip),
      ['192.0.2.2', '192.0.2.9', '192.0.2.4'],
    );
  });

  it('about a domain of somebody else is refused, and said so', async () => {
    const { body } = await upload(report('foreign', FIRST, { domain: 'victim.example' }));
    assert.deepEqual(body.accepted, []);
    assert.match(
      body.refused[0].reason,
      /^victim\.example is no domain of this account, nor below one, and its record does not ask for reports at dmarc-[0-9a-f]{24}@galley\.test\.$/,
    );
    const { body: list } = await app.call('GET /v1/dmarc/reports?kind=refused');
    assert.deepEqual(list.items[0].content, { file: 'report.xml', reason: body.refused[0].reason });
    // Its own record can ask for reports here.
    const { address } = (await app.call('GET /v1/dmarc/setup')).body;
    zone['_dmarc.parent.example'] = { TXT: [`v=DMARC1; p=none; rua=mailto:${address}`] };
    const asked = await upload(report('asked', FIRST, { domain: 'parent.example' }));
    assert.equal(asked.body.accepted.length, 1);
    const below = await upload(report('below', FIRST, { domain: 'news.example.com' }));
    assert.equal(below.body.accepted.length, 1);
  });

  it('of one account is not seen by another', async () => {
    const { body } = await app.call('GET /v1/dmarc/domains', { headers: stranger });
    assert.deepEqual(body, { domains: [], pfqr_chart: [] });
    const at = '/v1/dmarc/domains/example.com';
    for (const path of [at, `${at}/s/unknown`, `${at}/s/unknown/h/unknown`, `${at}/s/unknown/h/unknown/ip/192.0.2.2`])
      assert.equal((await app.call(`GET ${path}`, { headers: stranger })).status, 404, path);
    assert.equal((await app.call('GET /v1/dmarc/reports', { headers: stranger })).body.meta.count, 0);
    const { items } = (await app.call('GET /v1/dmarc/reports?kind=aggregate&limit=1')).body;
    const gone = await app.call(`DELETE /v1/dmarc/reports/${items[0].id}`, { headers: stranger });
    assert.equal(gone.status, 404);
    // The stranger has no such domain.
    assert.equal((await upload(report('one', FIRST), { headers: stranger })).body.accepted.length, 0);
  });

  it('is deleted with what it counts', async () => {
    await upload(report('gone', [{ ip: '192.0.2.77', count: 5 }], { domain: 'gone.example.com' }));
    const { items } = (await app.call('GET /v1/dmarc/reports?domain=gone.example.com')).body;
    assert.equal(items[0].messages, 5);
    const { body } = await app.call(`DELETE /v1/dmarc/reports/${items[0].id}`);
    assert.deepEqual(body, { message: 'The report has been deleted' });
    assert.equal((await app.call('GET /v1/dmarc/domains/gone.example.com')).status, 404);
    assert.equal((await app.call(`DELETE /v1/dmarc/reports/${items[0].id}`)).status, 404);
  });

  it('of TLS is kept by domain', async () => {
    const policies = ['example.com', 'victim.example'].map((name) => ({
      policy: { 'policy-type': 'sts', 'policy-domain': name },
      summary: { 'total-successful-session-count': 40, 'total-failure-session-count': 2 },
      'failure-details': [{ 'result-type': 'certificate-expired', 'failed-session-count': 2 }],
    }));
    const range = { 'start-datetime': '2026-11-01T00:00:00Z', 'end-datetime': '2026-11-01T23:59:59Z' };
    const json = {
      'organization-name': 'R',
      'report-id': 't1',
      'date-range': range,
      'contact-info': 'a@r.example',
      policies,
    };
    const { body } = await upload(JSON.stringify(json), { name: 't.json' });
    assert.deepEqual(
      body.accepted.map(({ kind, domain, messages }: any) => [kind, domain, messages]),
      [['tls', 'example.com', 42]],
    );
    assert.equal(body.refused.length, 1);
    const { items } = (await app.call('GET /v1/dmarc/reports?kind=tls')).body;
    assert.equal(items[0].content.tls.failures[0].type, 'certificate-expired');
  });

  it('that is wrong says why', async () => {
    for (const [operation, status, message] of [
      ['GET /v1/dmarc/domains/example.com?from=20&to=10', 400, /^from must not be after to/],
      ['GET /v1/dmarc/domains/example.com?from=1&to=1700000000', 400, /^from must be at most 400 days before to/],
      ['GET /v1/dmarc/domains/not%20a%20name', 400, /^domain must be a domain name/],
      ['GET /v1/dmarc/domains/nothing.example', 404, /^No reports of this domain/],
      ['GET /v1/dmarc/reports?kind=other', 400, /kind/],
    ] as const) {
      const answer = await app.call(operation);
      assert.equal(answer.status, status, operation);
      assert.match(answer.body.message, message);
    }
    const { status, body } = await app.call('POST /v1/dmarc/reports', { body: { file: 'x' } });
    assert.deepEqual([status, /file/.test(body.message)], [400, true]);
    const bad = await upload('<!DOCTYPE a [<!ENTITY b "c">]><feedback/>');
    assert.match(bad.body.refused[0].reason, /declares a document type/);
  });
});

describe('the record', () => {
  it('is checked, and the one to publish is built from it', async () => {
    const { address } = (await app.call('GET /v1/dmarc/setup')).body;
    const { body } = await app.call('GET /v1/dmarc/records/example.com');
    const entry = `v=DMARC1; p=none; rua=mailto:${address},mailto:other@elsewhere.example`;
    assert.deepEqual(
      { ...body, notes: body.notes.map(({ level, tag }: any) => [level, tag]) },
      {
        entry,
        policy: { p: 'none', sp: null, np: null, adkim: 'r', aspf: 'r', t: 'n' },
        current: 'v=DMARC1; p=none; pct=50; rua=mailto:other@elsewhere.example',
        configured: false,
        name: '_dmarc.example.com',
        address,
        policy_domain: 'example.com',
        organizational_domain: 'example.com',
        dns: 'answered',
        notes: [['advice', 'pct']],
        authorizations: [
          { address, name: 'example.com._report._dmarc.galley.test', value: 'v=DMARC1', state: 'missing' },
          {
            address: 'other@elsewhere.example',
            name: 'example.com._report._dmarc.elsewhere.example',
            value: 'v=DMARC1',
            state: 'published',
          },
        ],
      },
    );
    const built = (await app.call('GET /v1/dmarc/records/example.com?p=reject&np=reject&sp=quarantine&t=y&aspf=s'))
      .body;
    assert.equal(
      built.entry,
      `v=DMARC1; p=reject; sp=quarantine; np=reject; aspf=s; t=y; rua=mailto:${address},mailto:other@elsewhere.example`,
    );
    assert.deepEqual(built.policy, { p: 'reject', sp: 'quarantine', np: 'reject', adkim: 'r', aspf: 's', t: 'y' });
    // Of a name below, by the tree walk.
    const below = (await app.call('GET /v1/dmarc/records/a.b.example.com')).body;
    assert.deepEqual([below.name, below.policy_domain], ['_dmarc.a.b.example.com', 'example.com']);
  });

  it('keeps what decides where receivers look, and what they report', async () => {
    const { address } = (await app.call('GET /v1/dmarc/setup')).body;
    zone['_dmarc.kept.example'] = {
      TXT: [`v=DMARC1; p=reject; sp=none; np=reject; psd=n; fo=d:s; rua=mailto:${address}; ruf=mailto:f@kept.example`],
    };
    const { entry } = (await app.call('GET /v1/dmarc/records/kept.example')).body;
    assert.equal(
      entry,
      `v=DMARC1; p=reject; sp=none; np=reject; rua=mailto:${address}; ruf=mailto:f@kept.example; fo=d:s; psd=n`,
    );
    // A record of its own for a name below begins with what applies there: sp, not p.
    const below = (await app.call('GET /v1/dmarc/records/news.kept.example')).body;
    assert.equal(below.entry, `v=DMARC1; p=none; np=reject; rua=mailto:${address}; ruf=mailto:f@kept.example; fo=d:s`);
  });

  it('on the road is the one that applies, and only what DNS says', async () => {
    const { address } = (await app.call('GET /v1/dmarc/setup')).body;
    const firstStep = async (domain: string, records: typeof zone) => {
      Object.assign(zone, records);
      await app.call('POST /v4/domains', { body: { name: domain } });
      assert.equal((await upload(report(domain, FIRST, { domain }))).body.accepted.length, 1);
      const { road } = (await app.call(`GET /v1/dmarc/domains/${domain}`)).body;
      return [road[0].state, road[0].evidence];
    };
    const record = `v=DMARC1; p=reject; sp=none; rua=mailto:${address}`;
    assert.deepEqual(
      await firstStep('sub.road.example', {
        '_dmarc.road.example': { TXT: [record] },
        'road.example._report._dmarc.galley.test': { TXT: ['v=DMARC1'] },
      }),
      ['done', 'The record of road.example says none for this domain. Its reports come here.'],
    );
    // Receivers send nothing to an address whose domain does not allow it.
    assert.deepEqual(await firstStep('unallowed.example', { '_dmarc.unallowed.example': { TXT: [record] } }), [
      'next',
      'The record says p=reject. Its reports do not come here.',
    ]);
    assert.deepEqual(await firstStep('silent.example', { '_dmarc.silent.example': { fails: 'ETIMEOUT' } }), [
      'next',
      'DNS did not say whether there is a record.',
    ]);
  });

  it('counts as set up when reports may come here', async () => {
    const { address } = (await app.call('GET /v1/dmarc/setup')).body;
    zone['_dmarc.ready.example.com'] = { TXT: [`v=DMARC1; p=none; rua=mailto:${address}`] };
    const read = async () => (await app.call('GET /v1/dmarc/records/ready.example.com')).body.configured;
    assert.equal(await read(), false);
    zone['ready.example.com._report._dmarc.galley.test'] = { TXT: ['v=DMARC1'] };
    assert.equal(await read(), true);
  });

  it('has its address and its page', async () => {
    const { body } = await app.call('GET /v1/dmarc/setup');
    assert.match(body.address, /^dmarc-[0-9a-f]{24}@galley\.test$/);
    assert.equal(body.address, `dmarc-${body.InstanceID}@galley.test`);
    assert.deepEqual((await app.call('GET /v1/dmarc/setup')).body, body);
    assert.notEqual((await app.call('GET /v1/dmarc/setup', { headers: stranger })).body.address, body.address);
    const referral = await app.call('POST /v1/dmarc/referral', { body: { email: 'ann@example.com' } });
    assert.deepEqual(referral.body, { referral_uri: `${app.url}/dmarc` });
  });
});

describe('mail', () => {
  async function send(
    xml: string,
    { to, isSigned, from = 'reports@receiver.example' }: { to: string; isSigned: boolean; from?: string },
  ) {
    const { host, port } = app.galley.outside.ownSmtp!;
    const dkim = { domainName: 'receiver.example', keySelector: 'k', privateKey };
    const transport = createTransport({ host, port, secure: false, ignoreTLS: true, ...(isSigned && { dkim }) });
    const attachments = [{ filename: 'r.xml.gz', content: gzipSync(xml), contentType: 'application/gzip' }];
    await transport.sendMail({ from, to, subject: 'Report Domain: example.com', text: 'A report', attachments });
    transport.close();
  }

  async function reportsOf(query: string, count: number): Promise<any[]> {
    for (;;) {
      const { items } = (await app.call(`GET /v1/dmarc/reports?${query}`)).body;
      if (items.length >= count) return items;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  it('that the reporter signed is kept; that nobody vouches for is not', async () => {
    const { address: to } = (await app.call('GET /v1/dmarc/setup')).body;
    await send(report('m1', [{ ip: '192.0.2.1', count: 7 }], { domain: 'mail.example.com' }), { to, isSigned: true });
    const [kept] = await reportsOf('domain=mail.example.com', 1);
    assert.deepEqual([kept.via, kept.vouched_by, kept.messages], ['mail', 'receiver.example', 7]);
    const before = (await app.call('GET /v1/dmarc/reports?kind=refused')).body.meta.count;
    await send(report('m2', [{ ip: '192.0.2.1', count: 1e6 }]), { to: to.toUpperCase(), isSigned: false });
    const [refused] = await reportsOf('kind=refused', before + 1);
    assert.match(refused.content.reason, /^Nobody vouches for the mail/);
    const forged = report('m3', [{ ip: '192.0.2.1', count: 1e6 }]).replace('reports@receiver.example', 'a@google.com');
    await send(forged, { to, isSigned: true });
    const [other] = await reportsOf('kind=refused', before + 2);
    assert.equal(
      other.content.reason,
      'The report says that it comes from google.com, but the mail is vouched for by receiver.example.',
    );
  });

  it('to an address that nobody has is refused at once', async () => {
    const client = await connectSmtp(app.galley.outside.ownSmtp!.port);
    await client.say('EHLO x');
    await client.say('MAIL FROM:<>');
    assert.match(await client.say('RCPT TO:<dmarc-000000000000000000000000@galley.test>'), /^550/);
    client.close();
  });
});
