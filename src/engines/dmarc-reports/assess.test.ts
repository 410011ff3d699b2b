// Sources named, what p=reject breaks, and records of the policy.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  assessRows,
  nameAddresses,
  nameSource,
  readPolicyRecord,
  tellRejection,
  writePolicyRecord,
  judgeRow,
  type AggregateReport,
  type Source,
} from './index.ts';

const pass = (domain: string) => [{ domain, selector: 's', scope: 'mfrom', result: 'pass' }];
const fail = (domain: string) => [{ domain, selector: 's', scope: 'mfrom', result: 'fail' }];

describe('a source', () => {
  const cases: [string, Parameters<typeof nameSource>[0], string | null, [string, string, string]][] = [
    [
      'is the known sender of the address',
      { headerFrom: 'example.com', dkim: pass('example.com'), spf: [] },
      'o1.ptr99.sendgrid.net',
      ['twilio-sendgrid', 'Twilio SendGrid', 'ptr'],
    ],
    [
      'is the known sender that signed',
      { headerFrom: 'example.com', dkim: [...pass('example.com'), ...pass('amazonses.com')], spf: [] },
      null,
      ['amazon-ses', 'Amazon SES', 'dkim'],
    ],
    [
      'is the known sender that SPF passed for',
      { headerFrom: 'example.com', dkim: [], spf: pass('bounce.mcsv.net') },
      null,
      ['intuit-mailchimp', 'Intuit Mailchimp', 'spf'],
    ],
    [
      'is not believed where the check failed',
      { headerFrom: 'example.com', dkim: fail('amazonses.com'), spf: fail('mcsv.net') },
      null,
      ['unknown', 'Unknown', 'none'],
    ],
    [
      'is called by the registered domain of its address',
      { headerFrom: 'example.com', dkim: pass('example.com'), spf: [] },
      'mail.firm.co.uk',
      ['firm.co.uk', 'firm.co.uk', 'ptr'],
    ],
    [
      'is called by the domain itself at last',
      { headerFrom: 'mail.example.com', dkim: pass('example.com'), spf: [] },
      null,
      ['example.com', 'example.com', 'dkim'],
    ],
  ];
  for (const [name, row, host, expected] of cases)
    it(name, () => {
      const { id, name: shown, by } = nameSource(row, host);
      assert.deepEqual([id, shown, by], expected);
    });

  it('has a name only where the name leads back', async () => {
    const zone: Record<string, string[]> = {
      'PTR 1.2.0.192.in-addr.arpa': ['mail.example.net'],
      'A mail.example.net': ['192.0.2.1'],
      'PTR 2.2.0.192.in-addr.arpa': ['o1.sendgrid.net'],
      'A o1.sendgrid.net': ['198.51.100.9'],
    };
    const names = await nameAddresses(
      async (name, type) => {
        if (name.startsWith('4.')) throw Object.assign(new Error(name), { code: 'ESERVFAIL' });
        const records = zone[`${type} ${name}`];
        if (!records) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
        return records;
      },
      ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'],
    );
    assert.deepEqual(Object.fromEntries(names), {
      '192.0.2.1': 'mail.example.net',
      '192.0.2.2': null,
      '192.0.2.3': null,
    });
  });
});

const UNKNOWN = { id: 'unknown', name: 'Unknown', type: null, by: 'none' as const };
const SES = { id: 'amazon-ses', name: 'Amazon SES', type: 'SaaS', by: 'dkim' as const };
const rowOf = ({ source = UNKNOWN, ...row }: Partial<AggregateReport['rows'][number]> & { source?: Source }) =>
  judgeRow(
    {
      sourceIp: '192.0.2.1',
      count: 1,
      disposition: 'none',
      isDkimAligned: false,
      isSpfAligned: false,
      reasons: [],
      headerFrom: 'example.com',
      envelopeFrom: '',
      dkim: [],
      spf: [],
      ...row,
    },
    source,
  );

describe('what breaks at p=reject', () => {
  it('is counted by what ties a failing message to the domain', () => {
    const assessment = assessRows([
      rowOf({ count: 1000, isDkimAligned: true, dkim: pass('example.com') }),
      rowOf({ count: 10 }),
      rowOf({ count: 20, sourceIp: '192.0.2.2', dkim: fail('mail.example.com') }),
      rowOf({ count: 30, sourceIp: '192.0.2.3', spf: pass('news.example.com') }),
      rowOf({ count: 40, sourceIp: '192.0.2.4', source: SES, dkim: pass('amazonses.com') }),
      rowOf({ count: 50, sourceIp: '192.0.2.5', reasons: [{ type: 'mailing_list', comment: '' }] }),
      rowOf({ count: 60, sourceIp: '192.0.2.6', reasons: [{ type: 'local_policy', comment: 'arc=pass as[1].d=x' }] }),
      rowOf({ count: 70, sourceIp: '192.0.2.7', source: SES }),
      rowOf({ count: 80, sourceIp: '192.0.2.8', spf: pass('evil.example') }),
    ]);
    const { sources, ...counts } = assessment;
    assert.deepEqual(counts, {
      messages: 1360,
      passing: 1000,
      failing: 360,
      yours: 100,
      forwarded: 110,
      unknown: 150,
    });
    assert.deepEqual(
      sources.map(({ source, messages, failing, yours, evidence }) => ({
        id: source.id,
        messages,
        failing,
        yours,
        evidence,
      })),
      [
        {
          id: 'unknown',
          messages: 1250,
          failing: 250,
          yours: 60,
          evidence: [
            { kind: 'spf_own', messages: 30 },
            { kind: 'signed', messages: 20 },
            { kind: 'same_address', messages: 10 },
          ],
        },
        { id: 'amazon-ses', messages: 110, failing: 110, yours: 40, evidence: [{ kind: 'service', messages: 40 }] },
      ],
    );
    assert.equal(
      tellRejection(assessment),
      'With p=reject, receivers would have been asked to refuse 360 of 1,360 messages (26.47 %): 100 that look like ' +
        'yours, 110 that were passed on by others, and 150 that nothing ties to your domain. The last are forgeries, ' +
        'or mail of yours that neither signs nor is allowed by SPF; reports cannot tell these apart.',
    );
  });

  it('says nothing where nothing was reported', () => {
    assert.equal(tellRejection(assessRows([])), 'Nothing was reported, so nothing can be said.');
  });
});

describe('the record', () => {
  it('is read, and pct is no longer advised', () => {
    const record = readPolicyRecord(
      'v=DMARC1; P=Reject; sp=quarantine; np=reject; pct=50; t=y; rua=mailto:A%2Bb@x.example!10m,mailto:c@y.example',
    );
    assert.deepEqual(
      [record?.p, record?.sp, record?.np, record?.isTesting, record?.reportAddresses],
      ['reject', 'quarantine', 'reject', true, ['a+b@x.example', 'c@y.example']],
    );
    assert.deepEqual(
      record?.notes.map(({ level, tag }) => [level, tag]),
      [
        ['advice', 'pct'],
        ['advice', 't'],
      ],
    );
  });

  const wrong: [string, [string, string][]][] = [
    [
      'v=DMARC1',
      [
        ['error', 'p'],
        ['advice', 'rua'],
      ],
    ],
    ['v=DMARC1; p=block; rua=mailto:a@x.example', [['error', 'p']]],
    ['v=DMARC1; p=none; p=reject; rua=mailto:a@x.example', [['error', 'p']]],
    ['v=DMARC1; p=none; rua=a@x.example', [['error', 'rua']]],
    [
      'v=DMARC1; p=none; rua=mailto:a@x.example; what=1; ri=3600; psd=maybe',
      [
        ['advice', 'what'],
        ['advice', 'ri'],
        ['error', 'psd'],
      ],
    ],
  ];
  for (const [text, expected] of wrong)
    it(`says what is wrong with ${text}`, () =>
      assert.deepEqual(
        readPolicyRecord(text)?.notes.map(({ level, tag }) => [level, tag]),
        expected,
      ));

  it('is another one', () => assert.equal(readPolicyRecord('v=spf1 -all'), undefined));

  it('is built, and read again', () => {
    const text = writePolicyRecord({
      p: 'quarantine',
      sp: 'quarantine',
      np: 'reject',
      aspf: 's',
      isTesting: true,
      reportAddresses: ['r,s@x.example'],
      failureAddresses: ['f@x.example'],
    });
    assert.equal(
      text,
      'v=DMARC1; p=quarantine; np=reject; aspf=s; t=y; rua=mailto:r%2Cs@x.example; ruf=mailto:f@x.example; fo=1',
    );
    assert.deepEqual(readPolicyRecord(text)?.reportAddresses, ['r,s@x.example']);
    assert.equal(
      writePolicyRecord({ p: 'none', reportAddresses: ['a@x.example'] }),
      'v=DMARC1; p=none; rua=mailto:a@x.example',
    );
  });
});
