import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scoreSpam, type SpamInput } from '../spam-rules/index.ts';
import { HEADERS, HTML, NEWSLETTER, TEXT } from '../spam-rules/newsletter.fixture.ts';
import { checkBulkSender } from '../bulk-sender/index.ts';
import {
  decidePlacement,
  factsOfMessage,
  isBulkMail,
  RECEIVERS,
  type AuthenticationFacts,
  type FilterOpinion,
  type PlacementInput,
} from './index.ts';

const PASS: AuthenticationFacts = {
  spf: { result: 'pass', aligned: true, domain: 'news.example.com' },
  dkim: [{ result: 'pass', aligned: true, domain: 'example.com' }],
  dmarc: { result: 'pass', policy: 'reject', domain: 'example.com' },
  reverseDns: { result: 'pass', name: 'mail.news.example.com' },
  tls: true,
};
const FORGED: AuthenticationFacts = {
  ...PASS,
  spf: { result: 'fail', reason: '198.51.100.9 is not allowed' },
  dkim: [],
  dmarc: { result: 'fail', policy: 'reject', domain: 'example.com' },
};
const NOTHING: AuthenticationFacts = {
  spf: { result: 'none' },
  dkim: [],
  dmarc: { result: 'none' },
  reverseDns: { result: 'pass' },
  tls: true,
};
const SPAM: FilterOpinion[] = [
  { engine: 'rspamd', score: 12, threshold: 15, verdict: 'spam' },
  { engine: 'spamassassin', score: 9, threshold: 5, verdict: 'spam' },
];
const HAM: FilterOpinion[] = [
  { engine: 'rspamd', score: 0.4, threshold: 15, verdict: 'nothing_found' },
  { engine: 'spamassassin', score: -0.1, threshold: 5, verdict: 'nothing_found' },
];

const headersOf = (input: SpamInput) =>
  Object.fromEntries((input.headers ?? []).map(({ name, value }) => [name.toLowerCase(), value]));

function inputFor(message: SpamInput, more: Partial<PlacementInput> = {}, attempts = 0): PlacementInput {
  const facts = factsOfMessage({
    html: message.html,
    text: message.text,
    subject: message.subject ?? headersOf(message)['subject'] ?? '',
    headers: headersOf(message),
    headerList: message.headers,
    attachments: message.attachments,
    rawBytes: 20_000,
  });
  return { authentication: PASS, filters: HAM, builtIn: scoreSpam(message), message: { ...facts, attempts }, ...more };
}

const placements = (input: PlacementInput) =>
  Object.fromEntries(
    RECEIVERS.map((receiver) => {
      const { placement, category } = decidePlacement(receiver, input);
      return [receiver.id, category ?? placement];
    }),
  );
const each = (placement: string) => Object.fromEntries(RECEIVERS.map(({ id }) => [id, placement]));
const mail = (subject: string, html: string, headers: Record<string, string> = {}): SpamInput => ({
  subject,
  html,
  text: html.replace(/<[^>]*>/g, ' '),
  headers: [
    ...HEADERS.filter(({ name }) => !/^(?:list|subject)/i.test(name) && !(name in headers)),
    { name: 'Subject', value: subject },
    ...Object.entries(headers).map(([name, value]) => ({ name, value })),
  ],
  receivedAt: '2026-11-21T09:00:05Z',
});

describe('the receivers', () => {
  it('are eight, of both kinds, with names that say what they are and name no brand', () => {
    assert.deepEqual(
      RECEIVERS.map(({ id, category }) => [id, category]),
      [
        ['webmail', 'b2c'],
        ['mailbox', 'b2c'],
        ['portal', 'b2c'],
        ['isp', 'b2c'],
        ['private-mail', 'b2c'],
        ['office-suite', 'b2b'],
        ['gateway', 'b2b'],
        ['company-server', 'b2b'],
      ],
    );
    for (const { id, domain, displayName, about } of RECEIVERS) {
      assert.equal(domain, `${id}.local-receiver.example`);
      assert.doesNotMatch(
        `${domain} ${displayName} ${about}`,
        /gmail|google|yahoo|outlook|microsoft|apple|icloud|gmx|proton|aol|mimecast|barracuda/i,
      );
    }
  });
  it('are data: nothing in them is a function', () =>
    assert.deepEqual(JSON.parse(JSON.stringify(RECEIVERS)), RECEIVERS));
  it('reward and punish: a threshold to refuse stands above the one for spam', () => {
    for (const { thresholds, filterWeights } of RECEIVERS) {
      assert.ok(thresholds.reject === null || thresholds.reject > thresholds.spam);
      assert.ok(Object.values(filterWeights).every((weight) => weight >= 0 && weight <= 1));
    }
  });
});

describe('decidePlacement', () => {
  it('files an authenticated newsletter in the inbox, or where newsletters go', () => {
    assert.deepEqual(placements(inputFor(NEWSLETTER)), {
      webmail: 'updates',
      mailbox: 'other',
      portal: 'newsletters',
      isp: 'inbox',
      'private-mail': 'inbox',
      'office-suite': 'other',
      gateway: 'inbox',
      'company-server': 'inbox',
    });
  });
  it('files an authenticated personal message in the inbox everywhere', () => {
    assert.deepEqual(
      placements(
        inputFor(
          mail(
            'Lunch on Tuesday?',
            '<p>Dear Anna, shall we meet at noon in the small place by the river? Yours, Ben</p>',
          ),
        ),
      ),
      each('inbox'),
    );
  });
  it('files as well when no filter but its own is there', () => {
    assert.deepEqual(placements(inputFor(NEWSLETTER, { filters: [] })), placements(inputFor(NEWSLETTER)));
  });
  it('takes nothing that both filters call spam for good mail', () => {
    for (const [id, placement] of Object.entries(placements(inputFor(NEWSLETTER, { filters: SPAM }, 1))))
      assert.ok(['spam', 'rejected'].includes(placement), `${id}: ${placement}`);
  });
  it('takes GTUBE for spam everywhere, with no filter but its own', () => {
    const gtube = {
      ...NEWSLETTER,
      html: HTML.replace('Dear Anna', 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X'),
    };
    for (const [id, placement] of Object.entries(placements(inputFor(gtube, { filters: [] }, 1))))
      assert.ok(['spam', 'rejected'].includes(placement), `${id}: ${placement}`);
  });
  it('refuses a forged sender whose policy is to reject, with the code for it', () => {
    for (const receiver of RECEIVERS.filter(({ id }) => id !== 'isp')) {
      const verdict = decidePlacement(receiver, inputFor(NEWSLETTER, { authentication: FORGED }, 1));
      assert.equal(verdict.placement, 'rejected', receiver.id);
      assert.match(`${verdict.smtpReply.code} ${verdict.smtpReply.enhanced}`, /^550 5\.7\.26$/);
      assert.equal(verdict.reasons[0]!.code, 'dmarc-fail-reject');
    }
    assert.equal(placements(inputFor(NEWSLETTER, { authentication: FORGED }, 1))['isp'], 'spam');
  });
  it('refuses or files as spam a forged sender whose policy is quarantine', () => {
    const authentication: AuthenticationFacts = { ...FORGED, dmarc: { result: 'fail', policy: 'quarantine' } };
    assert.deepEqual(placements(inputFor(NEWSLETTER, { authentication }, 1)), {
      ...each('spam'),
      webmail: 'rejected',
      mailbox: 'rejected',
      portal: 'rejected',
      gateway: 'rejected',
    });
  });
  it('refuses mailings without authentication where bulk sender rules hold', () => {
    const placed = placements(inputFor(NEWSLETTER, { authentication: NOTHING }, 1));
    assert.equal(placed['webmail'], 'rejected');
    assert.equal(placed['mailbox'], 'rejected');
    assert.equal(placed['gateway'], 'spam');
    assert.equal(placed['company-server'], 'inbox');
  });
  it('does not hold against a message what could not be looked up', () => {
    const authentication: AuthenticationFacts = {
      spf: { result: 'temperror' },
      dkim: [{ result: 'temperror' }],
      dmarc: { result: 'temperror' },
      reverseDns: { result: 'temperror' },
      tls: true,
    };
    assert.deepEqual(placements(inputFor(NEWSLETTER, { authentication })), placements(inputFor(NEWSLETTER)));
  });
  it('refuses servers without reverse DNS where the receiver says so', () => {
    const authentication: AuthenticationFacts = { ...PASS, reverseDns: { result: 'fail', reason: 'no PTR record' } };
    const verdicts = RECEIVERS.map((receiver) => [
      receiver.id,
      decidePlacement(receiver, inputFor(NEWSLETTER, { authentication })).smtpReply.enhanced,
    ]);
    assert.deepEqual(
      verdicts.filter(([, enhanced]) => enhanced === '5.7.25').map(([id]) => id),
      ['webmail', 'portal', 'gateway'],
    );
  });
  it('refuses by the documents it cites, word for word and with their date', () => {
    const webmail = RECEIVERS.find(({ id }) => id === 'webmail')!;
    const personal = mail('Lunch?', '<p>Dear Anna, shall we meet at noon by the river? Yours, Ben</p>');
    const two = {
      ...personal,
      headers: personal.headers!.map((field) =>
        field.name === 'From' ? { ...field, value: 'a@one.example, b@two.example' } : field,
      ),
    };
    const twice = { ...personal, headers: [...personal.headers!, { name: 'From', value: 'b@two.example' }] };
    const cases: [string, PlacementInput, string, string, RegExp, string | null][] = [
      [
        'no authentication',
        inputFor(personal, { authentication: NOTHING }),
        'no-authentication',
        '550 5.7.26',
        /does not have authentication information or fails to pass authentication checks/,
        '2024-02-01',
      ],
      [
        'no reverse DNS',
        inputFor(personal, { authentication: { ...PASS, reverseDns: { result: 'fail', reason: 'no PTR record' } } }),
        'no-reverse-dns',
        '550 5.7.25',
        /does not accept messages from IPs with missing PTR records/,
        '2024-02-01',
      ],
      [
        'two addresses in From',
        inputFor(two),
        'from-several',
        '550 5.7.1',
        /multiple addresses in From: header are not accepted/,
        null,
      ],
      [
        'two From fields',
        inputFor(twice),
        'from-repeated',
        '550 5.7.1',
        /not RFC 5322 compliant because it has duplicate headers/,
        '2023-04-24',
      ],
      [
        'a mailing without DKIM',
        inputFor(NEWSLETTER, { authentication: { ...PASS, dkim: [] } }),
        'bulk-unsigned',
        '550 5.7.30',
        /requires all large senders to authenticate with DKIM/,
        '2024-02-01',
      ],
    ];
    for (const [what, input, code, reply, sentence, since] of cases) {
      const verdict = decidePlacement(webmail, input);
      assert.equal(verdict.placement, 'rejected', what);
      assert.equal(verdict.reasons[0]!.code, code, what);
      assert.equal(`${verdict.smtpReply.code} ${verdict.smtpReply.enhanced}`, reply, what);
      assert.match(verdict.reasons[0]!.source!.sentence, sentence, what);
      assert.equal(verdict.reasons[0]!.source!.since, since, what);
    }
  });
  it('takes a name with a comma for one author', () => {
    const quoted = mail('Lunch?', '<p>Dear Anna, shall we meet at noon by the river? Yours, Ben</p>');
    const headers = quoted.headers!.map((field) =>
      field.name === 'From' ? { ...field, value: '"Berg, Ben (at@home)" <ben@news.example.com>' } : field,
    );
    assert.deepEqual(placements(inputFor({ ...quoted, headers })), each('inbox'));
  });
  it('never files in the inbox of the bulk sender rules what the checklist of the same rules fails', () => {
    const webmail = RECEIVERS.find(({ id }) => id === 'webmail')!;
    for (const authentication of [
      NOTHING,
      FORGED,
      { ...PASS, reverseDns: { result: 'fail' } },
      { ...PASS, dmarc: { result: 'fail', policy: 'none' } },
    ] as AuthenticationFacts[]) {
      const { checks } = checkBulkSender({ headers: NEWSLETTER.headers!, authentication, fromDomainExists: true });
      assert.ok(
        checks.some(
          ({ id, status }) => ['spf', 'dkim', 'alignment', 'reverse-dns', 'dmarc'].includes(id) && status === 'fail',
        ),
      );
      assert.match(decidePlacement(webmail, inputFor(NEWSLETTER, { authentication })).placement, /^(spam|rejected)$/);
    }
  });
  it('refuses attachments and sizes it never takes', () => {
    const gateway = RECEIVERS.find(({ id }) => id === 'gateway')!;
    const zip = { ...NEWSLETTER, attachments: [{ name: 'Photos.ZIP', contentType: 'application/zip', sizeBytes: 1 }] };
    const verdict = decidePlacement(gateway, inputFor(zip));
    assert.deepEqual(
      [verdict.placement, verdict.reasons[0]!.code, verdict.smtpReply.code],
      ['rejected', 'attachment-refused', 552],
    );
    const input = inputFor(NEWSLETTER);
    assert.equal(
      decidePlacement(gateway, { ...input, message: { ...input.message, sizeBytes: 11 * 1024 * 1024 } }).reasons[0]!
        .code,
      'too-large',
    );
  });
  it('puts doubtful mail off once where greylisting is in use, and takes the second attempt', () => {
    const isp = RECEIVERS.find(({ id }) => id === 'isp')!;
    const authentication: AuthenticationFacts = {
      ...NOTHING,
      spf: { result: 'fail' },
      dkim: [],
      reverseDns: { result: 'pass' },
    };
    const first = decidePlacement(isp, inputFor(NEWSLETTER, { authentication }));
    assert.deepEqual([first.placement, first.smtpReply.code, first.smtpReply.enhanced], ['deferred', 451, '4.7.1']);
    assert.equal(decidePlacement(isp, inputFor(NEWSLETTER, { authentication }, 1)).placement, 'inbox');
    assert.equal(decidePlacement(isp, inputFor(NEWSLETTER)).placement, 'inbox');
  });
  it('gives reasons that add up to the score, what decided first', () => {
    for (const receiver of RECEIVERS) {
      for (const authentication of [PASS, NOTHING, FORGED]) {
        const { score, reasons } = decidePlacement(receiver, inputFor(NEWSLETTER, { authentication, filters: SPAM }));
        assert.ok(Math.abs(reasons.reduce((sum, { points }) => sum + (points ?? 0), 0) - score) < 0.05);
        assert.ok(
          reasons.every(({ message }) => /^[A-Z0-9].*\.$/.test(message)),
          JSON.stringify(reasons),
        );
      }
    }
  });
  it('never files a message better because one more filter was asked, whatever that filter says', () => {
    const rank = { inbox: 0, category: 0, deferred: 1, spam: 1, rejected: 2 };
    const [given, more] = [
      [-4, 0, 3, 5, 5.4, 8, 25],
      [-40, -4, 0, 2.5, 5, 7, 11, 30],
    ];
    const opinions = (engine: string, threshold: number): FilterOpinion[] =>
      more.map((score) => ({
        engine,
        score,
        threshold,
        verdict: score >= threshold || (engine === 'rspamd' && score >= 6) ? 'spam' : 'nothing_found',
      }));
    const faults: string[] = [];
    const input = inputFor(NEWSLETTER, {}, 1);
    for (const receiver of RECEIVERS) {
      for (const authentication of [PASS, NOTHING]) {
        for (const score of given) {
          const placed = (filters: FilterOpinion[]) =>
            decidePlacement(receiver, {
              ...input,
              authentication,
              filters,
              builtIn: { score, threshold: 5, groups: { content: score } },
            });
          for (const first of [undefined, ...opinions('spamassassin', 5)]) {
            const before = placed(first ? [first] : []);
            for (const second of opinions('rspamd', 15)) {
              const after = placed(first ? [first, second] : [second]);
              if (after.score < before.score || rank[after.placement] < rank[before.placement])
                faults.push(
                  `${receiver.id}: built-in ${score}, SpamAssassin ${first?.score ?? 'not asked'}: ` +
                    `${before.placement} ${before.score}; with Rspamd's ${second.score}: ` +
                    `${after.placement} ${after.score}`,
                );
            }
          }
        }
      }
    }
    assert.deepEqual(faults.slice(0, 5), [], `${faults.length} messages were filed better`);
  });
  it('is the same each time', () =>
    assert.deepEqual(
      placements(inputFor(NEWSLETTER, { filters: SPAM })),
      placements(inputFor(NEWSLETTER, { filters: SPAM })),
    ));
});

describe('the tabs of the webmail', () => {
  const webmail = RECEIVERS[0]!;
  const list = {
    'List-Unsubscribe': '<https://news.example.com/u>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  const cases: [string, string, SpamInput][] = [
    [
      'promotions',
      'a sale',
      mail(
        'Our autumn sale',
        '<p>20 % off everything until Sunday. Shop now, free shipping on all orders. ' +
          `${'More about the garden. '.repeat(10)}<a href="https://news.example.com/u">Unsubscribe</a></p>`,
        list,
      ),
    ],
    [
      'updates',
      'a receipt',
      mail('Your order 4711', '<p>Dear Anna, your order has been shipped. The tracking number is 99.</p>', {
        From: 'Shop <no-reply@news.example.com>',
      }),
    ],
    [
      'promotions',
      'offers that mention an order',
      mail(
        'Up to 40 % off everything',
        '<p>Use the coupon on your order before Sunday. Shop now: new arrivals, free shipping, a special offer ' +
          `for members. Manage your account or your subscription. ${'More about the garden. '.repeat(10)}` +
          '<a href="https://news.example.com/u">Unsubscribe</a></p>',
        list,
      ),
    ],
    [
      'updates',
      'a receipt with offers below',
      mail(
        'Your order 4711 has shipped',
        `<p>Dear Anna, your order has been shipped.</p>${'<p>Thank you.</p>'.repeat(60)}<p>20 % off your next ` +
          'one. Shop now, free shipping.</p>',
        list,
      ),
    ],
    [
      'social',
      'a notice of a network',
      mail(
        'Ben mentioned you',
        '<p>Ben mentioned you in a comment. <a href="https://news.example.com/u">Unsubscribe</a></p>',
        { ...list, From: 'Net <notification@news.example.com>' },
      ),
    ],
    [
      'forums',
      'a mailing list',
      mail('[garden] Tulips', '<p>I plant them deep.</p>', {
        'List-ID': 'Garden <garden.lists.example.com>',
        'List-Post': '<mailto:garden@lists.example.com>',
        Precedence: 'list',
        'In-Reply-To': '<1@a.example>',
      }),
    ],
    [
      'inbox',
      'a letter',
      mail('Lunch?', '<p>Dear Anna, shall we meet at noon in the small place by the river? Yours, Ben</p>'),
    ],
  ];
  for (const [tab, what, message] of cases) {
    it(`${what} goes to ${tab}`, () => {
      const { placement, category, reasons } = decidePlacement(webmail, inputFor(message));
      assert.equal(category ?? placement, tab, JSON.stringify(reasons));
    });
  }
});

describe('facts', () => {
  it('of a message are its words, links and pictures', () => {
    const facts = factsOfMessage({ html: HTML, text: TEXT, subject: 'x', headers: {}, rawBytes: 10 });
    assert.deepEqual([facts.links, facts.images, facts.sizeBytes], [2, 1, 10]);
    assert.match(facts.text, /the last tulips/);
    assert.ok(facts.imageShare > 0 && facts.imageShare < 0.5);
  });
  it('mail to many says so in its header', () => {
    assert.equal(isBulkMail({ headers: { 'list-unsubscribe': 'x' } }), true);
    assert.equal(isBulkMail({ headers: { precedence: ' bulk' } }), true);
    assert.equal(isBulkMail({ headers: { subject: 'bulk' } }), false);
  });
});
