import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fixAccessibility, judge, markElements } from './index.ts';

const many = (text: string, times = 3_000) => text.repeat(times);
const numbered = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join('');

/** Messages that try a parser's stack, its memory, or a rule's patience. */
const attacks: Record<string, string> = {
  'nested elements': many('<div>'),
  'nested tables': many('<table><tr><td>', 2_000),
  'nested layout tables with text': many('<table><tr><td>text', 600),
  'very many tables': many('<table><tr><td>x</table>', 3_000),
  'one table of very many rows': `<table>${many('<tr><td>1<td>2')}</table>`,
  'one row of very many cells': `<table><tr>${many('<td>1')}</tr><tr>${many('<td>2')}</tr></table>`,
  'nested links': many('<a href=x>text ', 2_000),
  'very many links': many('<a href=x>text</a> ', 3_000),
  'very many links with different targets': numbered(3_000, (n) => `<a href=x${n}>text</a> `),
  'very many links in one paragraph': `<p>words around the links ${many('<a href=x style="text-decoration:none">text</a> ', 3_000)}</p>`,
  'very many images': many('<img src=a.png>', 20_000),
  'very many images in one link': `<a href=x>${many('<img src=a.png>', 12_000)}</a>`,
  'very many generic links with headings': many(
    '<div><p style="font-size:30px">Heading</p><a href=x>Read more</a></div>',
    2_000,
  ),
  'very many generic links': `<div><p>${many('<a href=x>Read more</a><br>', 3_000)}</p></div>`,
  'very many headings': many('<p style="font-size:30px">Heading</p>', 3_000),
  'nested spans in a link': `<p>words around it <a href=x>${many('<span>', 1_500)}x</a></p>`,
  'nested backgrounds': many('<div style="background:url(a.png)">', 1_500),
  'formatting that multiplies': numbered(3_000, (n) => `<b a=${n}>`) + many('<p>x', 3_000),
  'one element with very many attributes': `<p ${numbered(20_000, (n) => `a${n} `)}>x`,
  'very many line breaks': `<p>x${many('<br>', 20_000)}y</p>`,
  'one very long text': `<p>${many('• word &zwnj;&nbsp;', 60_000)}</p>`,
  'hidden texts': many('<i style="font-size:0">\u200c\u200c\u200c\u200c\u200c\u200c\u200c\u200c\u200c\u200cx</i>'),
  'a huge sheet': `<style>${many('.a{color:red}', 20_000)}</style>${many('<p class=a>x', 2_000)}`,
  'selectors that match slowly': `<style>${many('a b c d e f g h,', 500)}z{color:red}</style>${many('<p class=a>x', 2_000)}`,
  'nested rules': `<style>${many('a{', 20_000)}</style>`,
  'nested parentheses': `<style>a{width:${many('calc(', 20_000)}}</style><p style="width:${many('(', 20_000)}">`,
  'a long style': `<p style="${many('font-size:1px;', 50_000)}">x</p>`,
  'a list of media queries': `<style>@media ${many('(max-width:1px) and ', 2_000)}screen{a{color:red}}</style>`,
  'conditional comments': many('<!--[if mso]><table><![endif]-->', 2_000),
  'nested conditional comments': many('<!--[if mso]>', 3_000) + many('<![endif]-->', 3_000),
  'very many shapes': `<!--[if mso]>${many('<v:rect><v:fill src=a></v:rect>', 3_000)}<![endif]-->`,
  'nested shapes': `<!--[if mso]>${many('<v:rect>', 1_500)}<![endif]-->`,
  'a title that is never closed': `<title>${many('x')}`,
  'a lone surrogate': '<p>\ud800</p><img alt="\udfff"><a href="http://[">x</a><img src="%E0%A4%A.png">',
  'half a tag': '<p style="color:red',
  'a frame set': '<frameset><frame src="x"></frameset>',
  nothing: '',
};

describe('a hostile message', () => {
  for (const [what, html] of Object.entries(attacks)) {
    it(`is judged, marked and repaired: ${what}`, () => {
      const { report, findings } = judge({ html, subject: 'Subject', dark: [] });
      for (const { instances = [] } of [...report.failures, ...report.needs_review]) {
        assert.ok(instances.length <= 200);
        for (const { snippet, target, correctAny } of instances)
          assert.ok(snippet.length <= 200 && target[0]!.length <= 1_000 && correctAny.join('').length < 2_000);
      }
      assert.ok(findings.length < 20_000);
      assert.equal(typeof markElements(html), 'string');
      const fixed = fixAccessibility(html, { subject: 'Subject' });
      // Not `equal`: the messages are too long to print.
      assert.ok(fixAccessibility(fixed.html, { subject: 'Subject' }).html === fixed.html);
      const adjusted = fixAccessibility(html, { subject: 'Subject', looks: 'adjust' });
      assert.ok(fixAccessibility(adjusted.html, { subject: 'Subject', looks: 'adjust' }).html === adjusted.html);
    });
  }

  it('is read up to a limit, and said to be', () => {
    assert.equal(judge({ html: many('<b></b>', 40_000), dark: [] }).complete, false);
    assert.equal(judge({ html: many('<b></b>', 4_000), dark: [] }).complete, true);
  });

  it('beyond the limit is not repaired, since the rest was not read', () => {
    const html = many('<table><tr><td>x</table>', 8_000);
    assert.equal(fixAccessibility(html).html, html);
  });
});
