import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AxeAudit, AxeRule } from './axe-outcomes.ts';
import { darkVariants, judge, MARK_ATTRIBUTE, markElements } from './index.ts';

const page = (body: string) =>
  '<!doctype html><html lang="en" dir="ltr"><head><title>Winter sale</title></head><body><div lang="en" dir="ltr">' +
  `${body}</div></body></html>`;
const rulesOf = (results: { rule: string }[]) => results.map(({ rule }) => rule);

const axeRule = (changes: Partial<AxeRule>): AxeRule => ({
  id: 'listitem',
  tags: ['wcag2a', 'wcag131'],
  description: 'Ensure li elements are used semantically',
  help: 'li elements must be contained in a ul or ol',
  impact: 'serious',
  nodes: [],
  ...changes,
});
const audit = (changes: Partial<AxeAudit>): AxeAudit => ({ failures: [], incomplete: [], passes: [], ...changes });

describe('judge', () => {
  it('writes failures as the wire has them', () => {
    const { report } = judge({
      html: '<html lang="en" dir="ltr"><title>Winter sale</title>\r\n<body>\r\n  <img src="cat.png">',
      dark: [],
    });
    const [failure] = report.failures.filter(({ rule }) => rule === 'image-alt');
    assert.deepEqual(failure, {
      rule: 'image-alt',
      impact: 'critical',
      description: 'Every image has alt: a text that says the same, or alt="" for decoration.',
      standards: ['WCAG 2A'],
      pour: ['Perceivable'],
      compliance: ['1.1.1 Non-text Content'],
      instances: [
        {
          correctAny: [
            'The image “cat.png” has no alt. Add alt with what the image says, or alt="" if it is decoration.',
          ],
          correctAll: [],
          snippet: '<img src="cat.png">',
          target: ['body > img'],
          lineNumber: 3,
          columnNumber: 3,
          absoluteIndex: 64,
        },
      ],
    });
  });

  it('writes passes without instances and impact', () => {
    const { report } = judge({ html: page('<img src="cat.png" alt="A cat">'), dark: [] });
    assert.deepEqual(
      report.passes.find(({ rule }) => rule === 'html-has-lang'),
      {
        rule: 'html-has-lang',
        description: 'The html element says which language the message is in.',
        standards: ['WCAG 2A'],
        pour: ['Understandable'],
        compliance: ['3.1.1 Language of Page'],
      },
    );
  });

  it('counts what the lists hold', () => {
    const { report } = judge({
      html: page('<p style="color:#999">Pale</p><p style="background:url(a.png)">Over</p>'),
      dark: [],
    });
    assert.equal(report.checks, report.passes.length + report.failures.length + report.needs_review.length);
    assert.ok(
      rulesOf(report.failures).includes('color-contrast') && rulesOf(report.needs_review).includes('color-contrast'),
    );
  });

  it('gives the same as findings, with place, source, fix and severity', () => {
    const { findings } = judge({ html: page('<img src="cat.png"><p style="font-size:12px">Small</p>'), dark: [] });
    const alt = findings.find(({ rule }) => rule === 'accessibility/image-alt');
    assert.deepEqual(
      [alt?.severity, alt?.message, alt?.source, alt?.where?.selector, alt?.details?.['fixable']],
      ['error', 'The image “cat.png” has no alt.', '1.1.1 Non-text Content (WCAG 2A)', 'body > div > img', true],
    );
    assert.equal(findings.find(({ rule }) => rule === 'accessibility/text-size')?.severity, 'info');
    assert.equal(findings.find(({ rule }) => rule === 'accessibility/html-has-lang')?.severity, 'pass');
  });

  it('files each rule under the version that brought its criterion, and best practices as such', () => {
    const { report } = judge({
      html: page('<a href="/a"><img src="a.png" alt="A" width="16" height="16"></a><h2>Two</h2>'),
      dark: [],
    });
    assert.deepEqual(report.needs_review.find(({ rule }) => rule === 'target-size')?.standards, ['WCAG 2.2AA']);
    assert.deepEqual(report.failures.find(({ rule }) => rule === 'page-has-heading-one')?.standards, ['Best Practice']);
  });

  it('puts a browser’s findings at their places in the source, and names an element once', () => {
    const html = page('<img src="cat.png"><li>One</li>');
    const [image, item] = [html.indexOf('<img'), html.indexOf('<li')].map(String) as [string, string];
    const node = {
      impact: 'serious',
      html: '',
      any: [{ id: 'x', message: 'Element has no list around it', data: {} }],
      all: [],
    };
    const { report } = judge({
      html,
      dark: [],
      axe: audit({
        failures: [
          axeRule({ nodes: [{ ...node, mark: item }] }),
          axeRule({ id: 'image-alt', nodes: [{ ...node, mark: image }] }),
        ],
      }),
    });
    const list = report.failures.find(({ rule }) => rule === 'listitem');
    assert.deepEqual(
      [list?.standards, list?.compliance, list?.instances?.length],
      [['WCAG 2A'], ['1.3.1 Info and Relationships'], 1],
    );
    assert.deepEqual(
      [list?.instances?.[0]?.absoluteIndex, list?.instances?.[0]?.snippet, list?.instances?.[0]?.correctAny],
      [Number(item), '<li>', ['Element has no list around it.']],
    );
    assert.equal(report.failures.find(({ rule }) => rule === 'image-alt')?.instances?.length, 1);
  });

  it('lets a browser measure contrast where there is one', () => {
    const html = page('<p style="color:#999">Pale</p>');
    const passes = [axeRule({ id: 'color-contrast', tags: ['wcag2aa', 'wcag143'] })];
    assert.ok(rulesOf(judge({ html, dark: [] }).report.failures).includes('color-contrast'));
    assert.ok(rulesOf(judge({ html, dark: [], axe: audit({ passes }) }).report.passes).includes('color-contrast'));
  });

  it('names the clients whose dark mode makes text unreadable', () => {
    const html = page('<p style="color:#ffffff;background:#d63384">White on pink</p>');
    const { findings } = judge({ html });
    const [light, dark] = ['color-contrast', 'color-contrast-dark'].map((name) =>
      findings.find(({ rule }) => rule === `accessibility/${name}`),
    );
    assert.deepEqual([light?.severity, dark?.severity, dark?.where?.offset], ['pass', 'error', html.indexOf('<p')]);
    assert.match(
      dark!.message,
      /^“White on pink” has [1-4]\.\d+:1 \(#\w{6} on #\w{6}\) in Outlook 20.+, and needs 4\.5:1\.$/,
    );
    assert.ok(dark!.clients!.every((client) => client.endsWith(', dark')));
    assert.ok(judge({ html, dark: [] }).inapplicable.includes('color-contrast-dark'));
  });

  it('takes a browser’s measurements of dark mode', () => {
    const html = page('<p>Text</p>');
    const [variant] = darkVariants(html);
    const data = { contrastRatio: 1.5, expectedContrastRatio: '4.5:1', fgColor: '#111111', bgColor: '#222222' };
    const node = {
      mark: String(html.indexOf('<p')),
      html: '<p>Text</p>',
      any: [{ id: 'color-contrast', message: 'Low', data }],
      all: [],
    };
    const { report } = judge({
      html,
      dark: [{ variant: variant!, audit: audit({ failures: [axeRule({ id: 'color-contrast', nodes: [node] })] }) }],
    });
    const failure = report.failures.find(({ rule }) => rule === 'color-contrast-dark');
    assert.match(
      failure!.instances![0]!.correctAny[0]!,
      /“Text” has 1\.5:1 \(#111111 on #222222\) in .+, and needs 4\.5:1/,
    );
  });
});

describe('markElements', () => {
  it('adds the offset of every start tag, and nothing else', () => {
    assert.equal(
      markElements('<p a=b>x<br/></p><!--[if mso]><table><![endif]-->'),
      `<p ${MARK_ATTRIBUTE}="0" a=b>x<br ${MARK_ATTRIBUTE}="8"/></p><!--[if mso]><table><![endif]-->`,
    );
  });
  it('marks only what holds text when that is enough', () => {
    assert.equal(markElements('<div><p>x</p></div>', 'text'), `<div><p ${MARK_ATTRIBUTE}="5">x</p></div>`);
  });
});

describe('darkVariants', () => {
  it('covers every strategy that changes colors, and keeps the marks through every client', () => {
    const html = page('<p style="color:#333333">Some text</p>');
    const variants = darkVariants(html);
    assert.deepEqual([...new Set(variants.map(({ strategy }) => strategy))].sort(), ['authored', 'full', 'partial']);
    for (const { html: shown, clientIds } of variants)
      assert.ok(shown.includes(`${MARK_ATTRIBUTE}="${html.indexOf('<p')}"`), clientIds.join());
  });
});
