import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { atEachPlace, type Finding } from '../findings/index.ts';
import { comparePictures, type Picture } from '../pictures/index.ts';
import {
  DEFAULT_POLICY,
  gateRules,
  hasUnanswered,
  judgeGate,
  percent,
  picturesBeside,
  policyAsWritten,
  readPolicy,
  screenshotFindings,
  withoutNetwork,
  type CheckRun,
  type GateLimit,
  type Measures,
  type Policy,
} from './index.ts';

const finding = (rule: string, severity: Finding['severity'], more: Partial<Finding> = {}): Finding => ({
  rule,
  severity,
  message: `About ${rule}.`,
  ...more,
});
const RULES = gateRules([
  {
    check: 'code',
    order: 10,
    groups: { code: 'Code', hygiene: 'Hygiene' },
    limits: [{ name: 'score_min', order: 60, about: 'A score.', of: { measures: 'scores', names: ['b2c'] } }],
  },
  {
    check: 'links',
    order: 20,
    groups: { links: 'Links' },
    limits: [{ name: 'broken_links_max', order: 40, about: 'Broken links.', of: { rule: 'links/reachable' } }],
  },
  {
    check: 'images',
    order: 30,
    groups: { images: 'Images' },
    limits: [{ name: 'image_bytes_max', order: 30, about: 'Bytes.', of: { measure: 'imageBytes' } }],
  },
  { check: 'accessibility', order: 40, groups: { accessibility: 'Accessibility' } },
]);
const policyOf = (given: object): Policy => {
  const read = readPolicy(given, RULES);
  if ('problem' in read) assert.fail(`${read.problem.field} ${read.problem.why}`);
  return read.policy;
};
const judge = (runs: CheckRun[], given: object = {}, more: { today?: string; measures?: Measures } = {}) =>
  judgeGate(runs, {
    policy: policyOf(given),
    rules: RULES,
    measures: more.measures ?? {},
    today: more.today ?? '2026-11-21',
  });
const failing = (runs: CheckRun[], given: object = {}, more = {}) =>
  judge(runs, given, more)
    .checks.flatMap(({ findings }) => findings)
    .filter(({ fails }) => fails)
    .map(({ rule }) => rule);

const RUNS: CheckRun[] = [
  {
    check: 'code',
    findings: [finding('code/grid', 'error'), finding('hygiene/title', 'warning'), finding('hygiene/lang', 'pass')],
  },
  {
    check: 'links',
    findings: [
      finding('links/reachable', 'error', { details: { url: 'https://a.example/x' } }),
      finding('links/https', 'warning'),
      finding('links/reachable', 'error', { details: { url: 'https://b.example/y' } }),
    ],
  },
  { check: 'accessibility', findings: [finding('accessibility/text-size', 'info')] },
];

describe('a policy', () => {
  it('fails errors when it says nothing else', () => {
    assert.deepEqual(policyOf({}), DEFAULT_POLICY);
    assert.deepEqual(failing(RUNS), ['code/grid', 'links/reachable', 'links/reachable']);
  });

  const cases: [string, object, string[]][] = [
    [
      'fail_on for all',
      { fail_on: 'warning' },
      ['code/grid', 'hygiene/title', 'links/reachable', 'links/https', 'links/reachable'],
    ],
    ['fail_on never', { fail_on: 'never' }, []],
    [
      'fail_on of a group',
      { checks: { links: { fail_on: 'never' }, accessibility: { fail_on: 'info' } } },
      ['code/grid', 'accessibility/text-size'],
    ],
    [
      'fail_on of hygiene beside code',
      { checks: { code: { fail_on: 'never' }, hygiene: { fail_on: 'warning' } } },
      ['hygiene/title', 'links/reachable', 'links/reachable'],
    ],
    [
      'severities of rules',
      { rules: { 'code/grid': 'info', 'links/https': 'error' } },
      ['links/reachable', 'links/https', 'links/reachable'],
    ],
    [
      'the last of several patterns',
      { rules: { 'links/*': 'off', 'links/https': 'error' } },
      ['code/grid', 'links/https'],
    ],
    ['patterns in the middle', { rules: { '*/reach*': 'info', 'code/*d': 'warning' } }, []],
    [
      'ignored ones, by what they are about',
      { ignore: [{ rule: 'links/reachable', contains: 'a.example', reason: 'Later.' }] },
      ['code/grid', 'links/reachable'],
    ],
    ['ignored ones whose last day it is', { ignore: [{ rule: '*', reason: 'Later.', until: '2026-11-21' }] }, []],
    [
      'ignored ones whose time is over',
      { ignore: [{ rule: '*', reason: 'Later.', until: '2026-11-20' }] },
      ['code/grid', 'links/reachable', 'links/reachable'],
    ],
    ['so many broken links', { limits: { broken_links_max: 2 } }, ['code/grid']],
    [
      'one broken link too many',
      { limits: { broken_links_max: 1 } },
      ['code/grid', 'links/reachable', 'links/reachable'],
    ],
  ];
  for (const [name, given, expected] of cases)
    it(`goes by ${name}`, () => assert.deepEqual(failing(RUNS, given), expected));

  it('never lets a pass fail, whatever its rule is set to', () => {
    assert.deepEqual(
      failing([{ check: 'links', findings: [finding('links/https', 'pass')] }], {
        fail_on: 'info',
        rules: { 'links/*': 'error' },
      }),
      [],
    );
  });

  it('tells a fault that two checks find in one place once, unless the rule that stays is off or less grave', () => {
    const at = (line: number) => ({ where: { line, column: 3 } });
    const runs: CheckRun[] = [
      { check: 'images', findings: [finding('images/alt', 'warning', at(1)), finding('images/alt', 'warning', at(2))] },
      { check: 'accessibility', findings: [finding('accessibility/image-alt', 'error', at(1))] },
    ];
    // Two places of one cause are one finding; what is asked here is which places are told.
    const told = (given: object) =>
      judge(runs, given)
        .checks.flatMap(({ findings }) => findings.flatMap(atEachPlace))
        .map(({ rule, where }) => `${rule} ${where?.line}`);
    assert.deepEqual(told({}), ['images/alt 2', 'accessibility/image-alt 1']);
    assert.deepEqual(told({ ignore: [{ rule: 'accessibility/image-alt', reason: 'Known.' }] }), [
      'images/alt 2',
      'accessibility/image-alt 1',
    ]);
    assert.deepEqual(told({ rules: { 'accessibility/*': 'off' } }), ['images/alt 1', 'images/alt 2']);
    assert.deepEqual(told({ rules: { 'accessibility/*': 'info' } }), [
      'images/alt 1',
      'images/alt 2',
      'accessibility/image-alt 1',
    ]);
  });

  it('fails for a check that could not run, unless it says otherwise', () => {
    const runs: CheckRun[] = [{ check: 'links', findings: [], error: 'No.' }];
    assert.deepEqual(judge(runs).verdict, { passed: false, reasons: ['Links could not run: No.'] });
    assert.deepEqual(judge(runs, { checks: { links: { on_error: 'warn' } } }).verdict, { passed: true, reasons: [] });
  });

  it('has limits on what was measured; what was not measured does not pass', () => {
    const measures = { htmlBytes: 120_000, imageBytes: 10, scores: { '': 90, b2c: 90 } };
    const { verdict, limits } = judge(
      [],
      {
        limits: {
          html_bytes_max: 102_400,
          image_bytes_max: 10,
          message_bytes_max: 5,
          score_min: { b2c: 90.5 },
          broken_links_max: 0,
        },
      },
      { measures },
    );
    assert.deepEqual(
      limits.map(({ limit, value, passed }) => [limit, value, passed]),
      [
        ['html_bytes_max', 120_000, false],
        ['message_bytes_max', null, false],
        ['image_bytes_max', 10, true],
        ['broken_links_max', null, false],
        ['score_min.b2c', 90, false],
      ],
    );
    assert.equal(verdict.reasons[0], 'limits.html_bytes_max is 102400, and it is 120000.');
    assert.equal(
      verdict.reasons[1],
      'limits.message_bytes_max is 5, but HTML is no whole message, and it was not measured: give the message as ' +
        'it is sent, headers and all, or limit html_bytes_max.',
    );
    assert.equal(
      verdict.reasons[2],
      'limits.broken_links_max is 0, but it was not measured: the check behind it did not run.',
    );
    assert.deepEqual(judge([], { limits: { score_min: 90 } }, { measures }).verdict.passed, true);
  });

  it('can be written down again, with its defaults', () => {
    assert.deepEqual(policyAsWritten(DEFAULT_POLICY, RULES), {
      fail_on: 'error',
      checks: {},
      rules: {},
      ignore: [],
      limits: {},
      screenshots: { difference_max: 0.001, threshold: 0.1, missing_baseline: 'warn' },
    });
    const whole = {
      fail_on: 'warning',
      checks: { links: { on_error: 'warn' }, hygiene: { fail_on: 'never' } },
      rules: { 'links/*': 'off', 'links/https': 'error' },
      ignore: [{ rule: 'links/*', contains: 'a', reason: 'Later.', until: '2026-12-31' }],
      limits: {
        html_bytes_max: 1,
        message_bytes_max: 2,
        image_bytes_max: 0,
        broken_links_max: 0,
        warnings_max: 5,
        score_min: { b2c: 85 },
      },
      screenshots: { difference_max: 0, threshold: 0.2, missing_baseline: 'fail' },
    };
    assert.deepEqual(policyAsWritten(policyOf(whole), RULES), whole);
    assert.equal(policyAsWritten(policyOf({ limits: { score_min: 90 } }), RULES).limits['score_min'], 90);
  });

  it('names the field that is wrong', () => {
    for (const [given, field] of [
      [null, 'The policy'],
      [[], 'The policy'],
      [{ rules: { nothing: 'off' } }, 'rules["nothing"]'],
      [{ ignore: [{ rule: 'a/b', reason: ' ' }] }, 'ignore[0].reason'],
      [{ limits: { score_min: 101 } }, 'limits.score_min'],
      [{ screenshots: { difference: 1 } }, 'screenshots.difference'],
      [{ checks: { links: { fail_on: 1 } } }, 'checks.links.fail_on'],
    ] as const) {
      const read = readPolicy(given, RULES);
      assert.equal('problem' in read && read.problem.field, field);
    }
  });
});

/** One digit a pixel: its brightness in ninths. */
function picture(rows: string[]): Picture {
  const data = new Uint8Array(
    rows.flatMap((row) =>
      [...row].flatMap((digit) => [Number(digit) * 28, Number(digit) * 28, Number(digit) * 28, 255]),
    ),
  );
  return { width: rows[0]?.length ?? 0, height: rows.length, data };
}

describe('what a gate goes by', () => {
  it('is refused where two checks bring one name, or a limit has none that a policy could hold', () => {
    const check = (name: string, group: string, limits: object[] = []) => ({
      check: name,
      order: 1,
      groups: { [group]: 'A' },
      limits: limits.map((limit) => ({ order: 1, about: '', of: { measure: 'a' }, ...limit })) as GateLimit[],
    });
    for (const [checks, why] of [
      [[check('a', 'a'), check('a', 'b')], /Two checks of the gate are named a\./],
      [[check('a', 'a'), check('screenshots', 'b')], /Two checks of the gate are named screenshots\./],
      [[check('a', 'a'), check('b', 'a')], /Two groups of rules of the gate are named a\./],
      [[check('a', 'a', [{ name: 'warnings_max' }])], /Two limits of the gate are named warnings_max\./],
      [[check('a', 'a', [{ name: 'loudness' }])], /The limit loudness is no name such as image_bytes_max\./],
      [[check('a', 'a', [{ name: 'b_max', of: { rule: 'b/c' } }])], /b_max counts a rule that is not its check's own/],
    ] as const)
      assert.throws(() => gateRules(checks), why);
  });
});

describe('pictures and their baselines', () => {
  const base = ['0000', '1234', '5678', '9999', '4321'];
  const compare = (rows: string[], threshold = 0.1) => comparePictures(picture(base), picture(rows), { threshold });

  it('are equal when nothing differs', () => assert.deepEqual(compare(base), { share: 0, bands: [] }));

  it('differ in the pixels that changed', () => {
    const { share, bands, picture: shown } = compare(['0000', '1934', '5678', '9999', '4321']);
    assert.deepEqual([share, bands], [1 / 20, [{ top: 1, bottom: 1 }]]);
    assert.deepEqual([...(shown?.data.subarray(20, 24) ?? [])], [224, 0, 159, 255]);
  });

  it('do not count what only moved', () => {
    assert.deepEqual(compare(['0000', '7777', '1234', '5678', '9999', '4321']), {
      ...compare(['0000', '7777', '1234', '5678', '9999', '4321']),
      share: 4 / 24,
      bands: [{ top: 1, bottom: 1 }],
    });
    const twice = compare(['7777', '0000', '1234', '5678', '8888', '9999', '4321']);
    assert.equal(twice.share, 8 / 28);
    assert.equal(compare(['0000', '1234', '9999', '4321']).share, 4 / 20);
  });

  it('may differ by less than the eye sees', () => {
    const near = picture(base);
    near.data[16] = (near.data[16] as number) + 3;
    assert.equal(comparePictures(picture(base), near, { threshold: 0.1 }).share, 0);
    assert.equal(comparePictures(picture(base), near, { threshold: 0 }).share, 1 / 20);
  });

  it('differ where one is wider', () =>
    assert.equal(comparePictures(picture(['00']), picture(['000']), { threshold: 0.1 }).share, 1 / 3));

  it('are told in findings, with the share, the rows and another engine', () => {
    const [changed, missing, failed, same] = screenshotFindings(
      [
        {
          client: 'a',
          name: 'A',
          outcome: 'changed',
          difference: 0.0456,
          bands: [{ top: 3, bottom: 9 }],
          engine: 'Chromium 2',
          baselineEngine: 'Chromium 1',
        },
        { client: 'b', name: 'B', outcome: 'no_baseline', difference: null, bands: [] },
        { client: 'c', name: 'C', outcome: 'not_made', difference: null, bands: [], error: 'It crashed.' },
        {
          client: 'd',
          name: 'D',
          outcome: 'unchanged',
          difference: 0,
          bands: [],
          engine: 'Chromium 1',
          baselineEngine: 'Chromium 1',
        },
      ],
      DEFAULT_POLICY.screenshots,
    );
    assert.equal(
      changed?.message,
      'A differs from its baseline in 4.6 % of the picture (0.10 % may), in rows 3–9. The baseline was made by ' +
        'Chromium 1, this picture by Chromium 2.',
    );
    assert.deepEqual(
      [missing?.severity, failed?.message, same?.severity, same?.message],
      ['warning', 'There is no picture of C: It crashed.', 'pass', 'D looks as approved.'],
    );
    assert.deepEqual([percent(0), percent(0.00001), percent(0.5)], ['0 %', '<0.01 %', '50.0 %']);
  });
});

describe('a machine without network', () => {
  const dead = finding('links/reachable', 'error', {
    details: { url: 'https://a.example/', items: [{ status_code: null, error_code: 'ENOTFOUND' }] },
  });
  const broken = finding('links/reachable', 'error', {
    details: { url: 'https://a.example/', items: [{ status_code: 404 }] },
  });
  const image = finding('images/broken', 'error', {
    details: { status_code: null, final_url: 'https://a.example/a.png' },
  });

  it('does not know what got no answer, and says so; what was answered stays', () => {
    assert.deepEqual(
      withoutNetwork([dead, broken, image]).map(({ rule, severity }) => [rule, severity]),
      [
        ['links/unknown', 'warning'],
        ['links/reachable', 'error'],
        ['images/unknown', 'warning'],
      ],
    );
    assert.match(
      withoutNetwork([dead])[0]?.message ?? '',
      /^https:\/\/a\.example\/ could not be tried: this machine has no network/,
    );
    assert.deepEqual([hasUnanswered([broken]), hasUnanswered([dead])], [false, true]);
  });
});

describe('pictures beside a message', () => {
  const judged = (rule: string, details?: Record<string, unknown>) =>
    picturesBeside([finding(rule, 'error', details && { details })], (address) => address === 'a/b.png')[0]?.severity;
  it('are a warning; what lies nowhere stays an error, and so does what is no picture', () => {
    assert.deepEqual(
      ['images/absolute-url', 'hygiene/relative-address'].map((rule) => judged(rule, { address: 'a/b.png' })),
      ['warning', 'warning'],
    );
    assert.deepEqual(
      [
        judged('images/absolute-url', { address: 'other.png' }),
        judged('hygiene/relative-address'),
        judged('links/target', { address: 'a/b.png' }),
      ],
      ['error', 'error', 'error'],
    );
  });
});

describe('long pictures', () => {
  it('are followed through changes at both ends, whatever their length', () => {
    const rows = Array.from({ length: 9_000 }, (_, row) => [...String(row).padStart(4, '0')].join(''));
    const changed = ['9999', ...rows.slice(0, 4000), '8888', ...rows.slice(4001, 8990)];
    const { share, bands } = comparePictures(picture(rows), picture(changed), { threshold: 0 });
    assert.ok(share > 0 && share <= 12 / 9_001, String(share));
    assert.ok(bands.length <= 3, String(bands.length));
  });
});
