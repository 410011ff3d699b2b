// The same messages through SpamAssassin and Rspamd themselves, where they are installed.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { rspamdAbsence, startRspamd, type RspamdDaemon } from '../../../test/harness/rspamd.ts';
import { spamdAbsence, startSpamd, type SpamdDaemon } from '../../../test/harness/spamd.ts';
import { createSpamFilters, type FilterEnvelope, type FilterOutcome, type SpamFilter } from './index.ts';

const ENVELOPE: FilterEnvelope = {
  ip: '8.8.8.8',
  helo: 'mail.news.example',
  reverseDns: 'mail.news.example',
  mailFrom: 'bounce@news.example',
  rcptTo: ['anna@local-receiver.example'],
};
const ZONE = {
  'news.example TXT': ['v=spf1 ip4:8.8.8.8 -all'],
  'news.example MX': ['10 mail.news.example'],
  'news.example A': ['8.8.8.8'],
  '_dmarc.news.example TXT': ['v=DMARC1; p=reject'],
  'mail.news.example A': ['8.8.8.8'],
  '8.8.8.8.in-addr.arpa PTR': ['mail.news.example'],
};
const GTUBE = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';

function message(text: string): Buffer {
  const lines = [
    'From: The Garden Letter <letter@news.example>',
    'To: Anna Berg <anna@local-receiver.example>',
    'Subject: November in the garden: bulbs, leaves and frost',
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    'Message-ID: <20261121.4711@news.example>',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 7bit',
    'List-Unsubscribe: <https://news.example/leave/4711>',
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    'List-ID: The Garden Letter <letter.news.example>',
    '',
    'Dear Anna,',
    '',
    'the last tulips want to go into the ground before the first hard frost.',
    'Leave the leaves under the hedge: hedgehogs sleep there.',
    '',
    text,
    '',
    'Your garden letter',
    '',
  ];
  return Buffer.from(lines.join('\r\n'));
}

interface Running {
  filter: SpamFilter;
  daemon: SpamdDaemon | RspamdDaemon;
}

const KINDS: [string, string | undefined, () => Promise<Running>][] = [
  [
    'SpamAssassin',
    spamdAbsence,
    async () => {
      const daemon = await startSpamd();
      return { daemon, filter: createSpamFilters({ spamd: daemon.address })[0]! };
    },
  ],
  [
    'Rspamd',
    rspamdAbsence,
    async () => {
      const daemon = await startRspamd(ZONE);
      return { daemon, filter: createSpamFilters({ rspamd: daemon.url })[0]! };
    },
  ],
];

for (const [name, absence, start] of KINDS) {
  describe(name, { skip: absence ?? false }, () => {
    let running: Running;
    const ask = async (
      text: string,
      envelope: Partial<FilterEnvelope> = {},
    ): Promise<Extract<FilterOutcome, { ok: true }>> => {
      const outcome = await running.filter.check(message(text), { ...ENVELOPE, ...envelope });
      assert.ok(outcome.ok, JSON.stringify(outcome));
      return outcome;
    };
    before(async () => {
      running = await start();
    });
    after(() => running?.daemon.close());

    it('finds nothing in an honest newsletter', async () => {
      const outcome = await ask('Until next month.');
      assert.equal(outcome.verdict, 'nothing_found', JSON.stringify(outcome.rules));
      assert.ok(outcome.score < outcome.threshold);
      assert.match(outcome.version ?? '', /^\d+\.\d+/);
    });
    it('takes GTUBE for spam and names the rule', async () => {
      const outcome = await ask(GTUBE);
      assert.equal(outcome.verdict, 'spam');
      assert.equal(outcome.rules[0]?.name, 'GTUBE');
      assert.ok(outcome.score >= outcome.threshold);
    });
    it('judges by the simulated envelope: a server without a name costs points', async () => {
      const [known, unknown] = [
        await ask('Until next month.'),
        await ask('Until next month.', { reverseDns: null, helo: '[8.8.4.4]', ip: '8.8.4.4' }),
      ];
      assert.ok(unknown.score > known.score, `${unknown.score} is not above ${known.score}`);
      assert.ok(
        unknown.rules.some(({ name: rule }) => /RDNS|HFILTER|HELO/.test(rule)),
        JSON.stringify(unknown.rules),
      );
    });
    it('does not take the message for one of its own site', async () => {
      const names = (await ask('Until next month.')).rules.map(({ name: rule }) => rule);
      for (const rule of ['ALL_TRUSTED', 'NO_RECEIVED', 'NO_RELAYS', 'RCVD_COUNT_ZERO_LOCAL'])
        assert.ok(!names.includes(rule), rule);
    });
  });
}

describe('Rspamd with a zone', { skip: rspamdAbsence ?? false }, () => {
  it('finds SPF by the simulated connection', async () => {
    const daemon = await startRspamd(ZONE);
    try {
      const [filter] = createSpamFilters({ rspamd: daemon.url });
      const symbolsOf = async (ip: string) => {
        const outcome = await filter!.check(message('Hello'), { ...ENVELOPE, ip });
        return outcome.ok ? outcome.rules.map(({ name }) => name) : [];
      };
      assert.ok((await symbolsOf('8.8.8.8')).includes('R_SPF_ALLOW'));
      assert.ok((await symbolsOf('9.9.9.9')).includes('R_SPF_FAIL'));
    } finally {
      await daemon.close();
    }
  });
});
