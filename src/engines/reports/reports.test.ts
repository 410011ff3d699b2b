import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sarifFaults } from '../../../test/harness/sarif-schema.ts';
import { requireTestPackage } from '../../../test/harness/test-packages.ts';
import { readXml } from '../../../test/harness/strict-xml.ts';
import type { Finding } from '../findings/index.ts';
import {
  REPORT_FORMATS,
  reportOf,
  writeReport,
  type EmailReport,
  type Report,
  type ReportFormat,
  type ReportedFinding,
} from './index.ts';

const tool = { name: 'Galley', version: '1.2.3' };
const broken: Finding = {
  rule: 'links/broken',
  severity: 'error',
  message: 'https://example.com/gone answers 404.',
  where: { line: 12, column: 5, offset: 300, selector: 'p > a', snippet: '<a href="https://example.com/gone">' },
  fix: 'Correct the address.',
  source: 'RFC 9110 §15.5.5 (https://www.rfc-editor.org/rfc/rfc9110)',
};
const pale: Finding = {
  rule: 'accessibility/color-contrast',
  severity: 'warning',
  message: 'The text is too pale.',
  where: { line: 3 },
  clients: ['Gmail'],
  details: { ratio: 2.1 },
};
const passed: Finding = { rule: 'accessibility/lang', severity: 'pass', message: 'The message says its language.' };

function judged(): EmailReport {
  return {
    email: 'mails/spring sale.html',
    verdict: { passed: false, reasons: ['links: 1 finding of severity error.', 'images could not run.'] },
    checks: [
      {
        check: 'links',
        title: 'Links',
        status: 'complete',
        findings: [
          { ...pale, rule: 'links/slow', fails: false },
          { ...broken, fails: true },
        ],
      },
      {
        check: 'accessibility',
        title: 'Accessibility',
        status: 'complete',
        findings: [
          { ...pale, fails: false, ignored: 'The brand says so.' },
          { ...passed, fails: false },
        ],
      },
      { check: 'images', title: 'Images', status: 'failed', error: 'The decoder went away.', findings: [] },
    ],
  };
}
const report: Report = { tool, emails: [judged()] };

/** Breaks out of whatever writes it down carelessly. */
const NASTY = [
  '::error::owned',
  '\n::set-output name=x::y',
  '##[error]owned',
  '%0A::error::x',
  ']]><failure/>',
  '</failure><x>',
  '&lt;&amp;"\'<>',
  '\u001b[31mred\u001b[0m\u001b]0;title\u0007',
  '\u0000\u0001\u0008\u000b\u001f\u007f\u0085\u009b31m',
  '\ud800 half a pair',
  'half \udc00',
  '\ufffe\uffff',
  '\u202eright to left\u2066',
  'line\u2028separator\u2029',
  '\r\nheader: x',
  '😀'.repeat(900),
  '-->',
  '\\u0000',
  '","level":"error',
  'x'.repeat(20_000),
];
function hostileReport(text: string): Report {
  const finding = {
    rule: `links/${text}`,
    severity: 'error' as const,
    message: text,
    where: { line: 1, column: 1, selector: text, snippet: text },
    fix: text,
    source: text,
    clients: [text],
    details: { [text]: text },
    fails: true,
  };
  return {
    tool,
    emails: [
      {
        email: `mails/${text}`,
        verdict: { passed: false, reasons: [text] },
        checks: [
          {
            check: 'links',
            title: 'Links',
            status: 'complete',
            findings: [finding, { ...finding, fails: false, ignored: text }],
          },
          { check: 'images', title: text, status: 'failed', error: text, findings: [] },
        ],
      },
    ],
  };
}

describe('the report for people', () => {
  it('groups by check, worst first, with place, source, what to do and the verdict', () => {
    assert.equal(
      writeReport('pretty', report),
      `mails/spring sale.html

  Links  1 error, 1 warning
    ✖ links/broken  fails
      https://example.com/gone answers 404.
      12:5  │ <a href="https://example.com/gone">
      Fix  Correct the address.
    ▲ links/slow
      The text is too pale.
      3  ${''}

  Accessibility  1 passed, 1 ignored
    – accessibility/color-contrast  ignored: The brand says so.

  Images  could not run
    ✖ The decoder went away.

FAIL  mails/spring sale.html: 1 error, 1 warning, 1 passed, 1 ignored
  links: 1 finding of severity error.
  images could not run.
`,
    );
  });

  it('keeps what fails apart from what a rule only tells', () => {
    const contrast = {
      rule: 'accessibility/color-contrast',
      severity: 'error' as const,
      message: 'It is too pale.',
      where: { line: 9 },
      fails: true,
    };
    const unsure = {
      ...contrast,
      severity: 'info' as const,
      message: 'The background could not be determined.',
      where: { line: 2 },
      fails: false,
    };
    const text = writeReport('pretty', {
      tool,
      emails: [
        {
          email: 'a.html',
          checks: [
            {
              check: 'accessibility',
              title: 'Accessibility',
              status: 'complete',
              findings: [unsure, contrast, { ...unsure, where: { line: 5 } }],
            },
          ],
        },
      ],
    });
    assert.match(
      text,
      /✖ accessibility\/color-contrast {2}fails\n {6}It is too pale\.\n {6}9 {2}\n {4}· accessibility\/color-contrast {2}2 {2}The background could not be determined\. \(and 1 more place\)\n/,
    );
  });

  it('has colors only when they are asked for', () => {
    assert.equal(writeReport('pretty', report).includes('\u001b'), false);
    assert.ok(writeReport('pretty', report, { color: true }).includes('\u001b[31mFAIL\u001b[0m'));
  });

  it('shows the first places of a rule and counts the others', () => {
    const findings = Array.from({ length: 9 }, (_, index) => ({
      ...broken,
      message: `Link ${index} is gone.`,
      where: { line: index + 1, column: 2 },
      fails: true,
    }));
    const text = writeReport('pretty', {
      tool,
      emails: [{ email: 'a.html', checks: [{ check: 'links', title: 'Links', status: 'complete', findings }] }],
    });
    assert.match(text, /links\/broken {2}9 places {2}fails\n {6}1:2 {2}Link 0 is gone\.\n {6}2:2 {2}Link 1 is gone\./);
    assert.match(text, /… and 4 more places/);
  });
});

describe('the Markdown report', () => {
  const { lexer, walkTokens } = requireTestPackage('marked');
  interface Token {
    type: string;
    raw: string;
    /** What it is made of; a text without is shown as it stands. */
    tokens?: Token[];
  }
  /** Every token of the text as GitHub's Markdown has them. */
  function tokensOf(text: string): Token[] {
    const found: Token[] = [];
    walkTokens(lexer(text, { gfm: true }), (token: Token) => void found.push(token));
    return found;
  }

  it('has a table, failing emails first, then errors and warnings of each', () => {
    const clean: EmailReport = { email: 'mails/a|b.html', verdict: { passed: true, reasons: [] }, checks: [] };
    assert.equal(
      writeReport('markdown', { tool, emails: [clean, judged()] }),
      `## Galley: 1 of 2 emails failed

| Email | Verdict | Errors | Warnings | Hints |
|---|---|--:|--:|--:|
| \`mails/spring sale.html\` | **fails** | 1 | 1 | 0 |
| \`mails/a\\|b.html\` | passes | 0 | 0 | 0 |

<details>
<summary>Fails: <code>mails/spring sale.html</code></summary>

links: 1 finding of severity error\\.

images could not run\\.

**Links**

- **links/broken**: fails
  - \`https://example.com/gone\` answers 404\\. (line 12, column 5)
  - Fix: Correct the address\\.
- **links/slow**: warning
  - The text is too pale\\. (line 3)

**Images** could not run: The decoder went away\\.

</details>

`,
    );
    assert.equal(writeReport('markdown', { tool, emails: [] }), '## Galley: nothing to check\n');
  });

  it('has no link, picture, mention or markup of what a message holds', () => {
    const own = /^(<details>\n<summary>(Fails|Passes): <code>[^<]*<\/code><\/summary>\n*|<\/details>\n*)+$/;
    const nasty = [
      ...NASTY,
      '![x](https://evil.example/x.png)',
      '[click](https://evil.example)',
      '<img src=x> @galley/team #12 GH-3 0123456789abcdef0123456789abcdef01234567',
      'www.evil.example/x ann@example.com https://evil.example/`x`y',
      '``` \n# head\n| a | b |\n---',
      '</summary></details><script>alert(1)</script>',
      '**bold** _it_ ~~gone~~ [^1] - [ ] task',
    ];
    for (const text of nasty) {
      const written = writeReport('markdown', hostileReport(text));
      for (const { type, raw, tokens } of tokensOf(written)) {
        assert.ok(!['link', 'image', 'def', 'del', 'em', 'blockquote', 'hr'].includes(type), `${type}: ${raw}`);
        if (type === 'html') assert.match(raw, own);
        if (type === 'text' && !tokens) assert.doesNotMatch(raw, /[@#]|:\/\/|\b[0-9a-f]{40}\b/, raw);
      }
      assert.equal(tokensOf(written).filter(({ type }) => type === 'table').length, 1, text.slice(0, 40));
    }
  });

  it('fits into a comment, and counts what does not', () => {
    const one = judged();
    const many = Array.from({ length: 1000 }, (_, index) => ({
      ...one,
      email: `mails/${index}/${'x'.repeat(60)}.html`,
    }));
    const written = writeReport('markdown', { tool, emails: many });
    assert.ok(written.length > 40_000 && written.length <= 60_200, `${written.length}`);
    const rows = written.split('\n').filter((line) => line.startsWith('| `mails/')).length;
    assert.ok(written.includes(`\n${1000 - rows} more emails would not fit into this table.\n`));
    const told = written.match(/<summary>/g)!.length;
    assert.ok(written.endsWith(`Findings of ${1000 - told} emails would not fit here; another format has them.\n`));
  });
});

describe('the JSON report', () => {
  it('says the verdict, why, and everything found, worst first', () => {
    const {
      tool: by,
      verdict,
      emails: [email],
    } = JSON.parse(writeReport('json', report));
    assert.deepEqual(
      [by, verdict, email.email, email.verdict, email.reasons],
      [tool, 'fail', 'mails/spring sale.html', 'fail', report.emails[0]?.verdict?.reasons],
    );
    assert.deepEqual(email.counts, { errors: 1, warnings: 1, infos: 0, passes: 1, ignored: 1, failing: 1 });
    assert.deepEqual(
      email.checks.map(({ check, status, error }: any) => [check, status, error]),
      [
        ['links', 'complete', undefined],
        ['accessibility', 'complete', undefined],
        ['images', 'failed', 'The decoder went away.'],
      ],
    );
    assert.deepEqual(email.checks[0].findings[0], { ...broken, fails: true });
  });
});

describe('the SARIF report', () => {
  it('is valid by the schema of the standard, with rules, regions, suppressions and what could not run', () => {
    const log = JSON.parse(writeReport('sarif', report));
    assert.deepEqual(sarifFaults(log), []);
    const [run] = log.runs;
    assert.deepEqual(
      run.tool.driver.rules.map((rule: any) => [rule.id, rule.defaultConfiguration.level, rule.helpUri]),
      [
        ['links/broken', 'error', 'https://www.rfc-editor.org/rfc/rfc9110'],
        ['links/slow', 'warning', undefined],
        ['accessibility/color-contrast', 'warning', undefined],
      ],
    );
    const [first, , third] = run.results;
    assert.deepEqual(
      [first.ruleId, first.ruleIndex, first.level, first.message.text],
      ['links/broken', 0, 'error', 'https://example.com/gone answers 404. Correct the address.'],
    );
    assert.deepEqual(first.locations[0].physicalLocation, {
      artifactLocation: { uri: 'mails/spring%20sale.html' },
      region: { startLine: 12, startColumn: 5, snippet: { text: '<a href="https://example.com/gone">' } },
    });
    assert.deepEqual(third.suppressions, [{ kind: 'external', justification: 'The brand says so.' }]);
    assert.equal(run.invocations[0].executionSuccessful, false);
    assert.equal(
      run.invocations[0].toolExecutionNotifications[0].message.text,
      'Images could not run: The decoder went away.',
    );
  });

  it('would not be called valid when it is not', () => {
    const log = JSON.parse(writeReport('sarif', report));
    log.runs[0].results[0].level = 'fatal';
    delete log.runs[0].tool.driver.name;
    assert.equal(sarifFaults(log).length, 2);
  });

  it('gives a finding the same fingerprint wherever it moves to, and equal ones different ones', () => {
    const printsOf = (line: number) => {
      const findings = [
        { ...broken, where: { ...broken.where, line } },
        { ...broken, where: { ...broken.where, line: line + 9 } },
      ].map((finding) => ({ ...finding, fails: true }));
      const log = JSON.parse(
        writeReport('sarif', {
          tool,
          emails: [{ email: 'a.html', checks: [{ check: 'links', title: 'Links', status: 'complete', findings }] }],
        }),
      );
      return log.runs[0].results.map((result: any) => result.partialFingerprints['galleyFinding/v1']);
    };
    assert.deepEqual(printsOf(5), printsOf(800));
    assert.equal(new Set(printsOf(5)).size, 2);
  });
});

describe('the JUnit report', () => {
  it('is a suite per check with a case per rule', () => {
    const root = readXml(writeReport('junit', report));
    assert.deepEqual(root.attributes, {
      name: 'Galley',
      tests: '6',
      failures: '2',
      errors: '1',
      skipped: '1',
      time: '0',
    });
    assert.deepEqual(
      root.children.map((suite) => [
        suite.attributes['name'],
        suite.children.map((one) => [one.attributes['name'], one.children.map(({ name }) => name).join()]),
      ]),
      [
        [
          'mails/spring sale.html – Links',
          [
            ['links/broken', 'failure'],
            ['links/slow', 'system-out'],
          ],
        ],
        [
          'mails/spring sale.html – Accessibility',
          [
            ['accessibility/lang', ''],
            ['accessibility/color-contrast', 'skipped,system-out'],
          ],
        ],
        ['mails/spring sale.html – Images', [['Images could run', 'error']]],
        ['mails/spring sale.html – Policy', [['verdict', 'failure']]],
      ],
    );
    const failure = root.children[0]?.children[0]?.children[0];
    assert.deepEqual(failure?.attributes, { message: broken.message, type: 'error' });
    assert.equal(
      failure?.text,
      'mails/spring sale.html:12:5: https://example.com/gone answers 404.\n<a href="https://example.com/gone">\n' +
        'Fix: Correct the address.',
    );
  });
});

describe('the GitHub annotations', () => {
  it('are workflow commands with the place, escaped', () => {
    assert.equal(
      writeReport('github', report),
      [
        '::error title=Images could not run::mails/spring sale.html: The decoder went away.',
        '::error file=mails/spring sale.html,line=12,col=5,title=links/broken::https://example.com/gone answers ' +
          '404.%0AFix: Correct the address.',
        '::warning file=mails/spring sale.html,line=3,title=links/slow::The text is too pale.',
        '::error title=Failed::mails/spring sale.html: 1 error, 1 warning, 0 hints%0Alinks: 1 finding of severity ' +
          'error.%0Aimages could not run.',
        '',
      ].join('\n'),
    );
  });
});

describe('a report of one inspection', () => {
  it('fails for errors, and says when the check could not run', () => {
    const found = reportOf([broken, pale, passed], { email: 'message.html', kind: 'links' });
    assert.deepEqual(
      found.checks.map(({ check, findings }) => [check, findings.map(({ fails }) => fails)]),
      [
        ['links', [true]],
        ['accessibility', [false, false]],
      ],
    );
    assert.deepEqual(reportOf([], { email: 'message.html', kind: 'links', error: 'No.' }).checks, [
      { check: 'links', title: 'Links', status: 'failed', error: 'No.', findings: [] },
    ]);
  });
});

describe('hostile text', () => {
  for (const [index, text] of [...NASTY, NASTY.join('')].entries()) {
    it(`breaks no format (${index}: ${JSON.stringify(text.slice(0, 24))})`, () => {
      const written = Object.fromEntries(
        Object.keys(REPORT_FORMATS).map((format) => [format, writeReport(format as ReportFormat, hostileReport(text))]),
      );
      JSON.parse(written['json']!);
      assert.deepEqual(sarifFaults(JSON.parse(written['sarif']!)), []);
      const xml = written['junit']!;
      readXml(xml);
      assert.equal(xml.match(/<testcase/g)?.length, 3);
      assert.equal(xml.match(/<failure/g)?.length, 2);
      const lines = written['github']!.trimEnd().split(/\r\n|[\n\r]/);
      assert.deepEqual(
        lines.map((line) => line.slice(0, 8)),
        ['::error ', '::error ', '::error '],
      );
      for (const line of lines) assert.match(line, /^::error [^:]*::/);
      const pretty = written['pretty']!;
      // oxlint-disable-next-line no-control-regex
      assert.doesNotMatch(pretty, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/);
      for (const line of pretty.split('\n')) assert.doesNotMatch(line, /^\s*::|##\[/);
    });
  }
});

describe('places of an email that was made from several files', () => {
  it('are named with their file in annotations, where it is another than the first one', () => {
    const finding: ReportedFinding = {
      rule: 'images/alt',
      severity: 'error',
      message: 'It has no text.',
      fails: true,
      where: { file: 'parts/head.tsx', line: 3, column: 5 },
      places: [
        { file: 'parts/head.tsx', line: 3, column: 5 },
        { file: 'parts/head.tsx', line: 9 },
        { file: 'parts/foot.tsx', line: 4, column: 2 },
        { line: 12 },
      ],
      count: 4,
    };
    const check = { check: 'images', title: 'Images', status: 'complete', findings: [finding] } as const;
    const report = { tool: { name: 'Galley', version: '1' }, emails: [{ email: 'mail.tsx', checks: [check] }] };
    assert.equal(
      writeReport('github', report).split('\n')[0],
      '::error file=parts/head.tsx,line=3,col=5,title=images/alt::It has no text. ' +
        '(and in 3 more places: lines 9, parts/foot.tsx:4, mail.tsx:12)',
    );
  });
});
