import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inlineStyles } from './index.ts';

const page = (css: string, body: string) =>
  `<!doctype html><html><head><style>${css}</style></head><body>${body}</body></html>`;
const bare = (body: string) => `<!doctype html><html><head></head><body>${body}</body></html>`;

describe('inlineStyles', () => {
  const rows: [string, string, string, string][] = [
    ['moves a rule and its empty sheet', 'p{color:red}', '<p>x</p>', bare('<p style="color: red">x</p>')],
    [
      'puts a weaker rule out, whatever the order',
      '.a{color:blue}p{color:red}',
      '<p class=a>x</p>',
      bare('<p style="color: blue" class=a>x</p>'),
    ],
    [
      'lets the later of equal rules win',
      '.a{color:blue}.b{color:red}',
      '<p class="b a">x</p>',
      bare('<p style="color: red" class="b a">x</p>'),
    ],
    [
      'lets an important rule win',
      'p{color:red!important}.a{color:blue}',
      '<p class=a>x</p>',
      bare('<p style="color: red !important" class=a>x</p>'),
    ],
    [
      'lets the attribute win',
      'p{color:red;margin:0}',
      '<p style="color:blue">x</p>',
      bare('<p style="margin: 0; color:blue">x</p>'),
    ],
    [
      'lets an important rule win over the attribute',
      'p{color:red!important}',
      '<p style="color:blue">x</p>',
      bare('<p style="color: red !important; color:blue">x</p>'),
    ],
    [
      'lets an important attribute win',
      'p{color:red!important}',
      '<p style="color:blue!important">x</p>',
      bare('<p style="color:blue!important">x</p>'),
    ],
    [
      'keeps shorthand and longhand in order',
      '.a{margin:0}p{margin-top:5px}p{margin:1px}',
      '<p class=a>x</p>',
      bare('<p style="margin-top: 5px; margin: 0" class=a>x</p>'),
    ],
    [
      'keeps fallbacks',
      'p{background:red;background:linear-gradient(red,blue)}',
      '<p>x</p>',
      bare('<p style="background: linear-gradient(red,blue)">x</p>'),
    ],
    [
      'does not let a value nobody knows win',
      'p{color:red}p{color:nosuchcolor}',
      '<p>x</p>',
      bare('<p style="color: red; color: nosuchcolor">x</p>'),
    ],
    [
      'uses single quotes',
      'p{font-family:"Open Sans",Arial}',
      '<p>x</p>',
      bare('<p style="font-family: \'Open Sans\',Arial">x</p>'),
    ],
    [
      'escapes what it must',
      'p{background:url("a?b&c\'d")}',
      '<p>x</p>',
      bare('<p style="background: url(&quot;a?b&amp;c\'d&quot;)">x</p>'),
    ],
    [
      'keeps vendor properties',
      'td{mso-line-height-rule:exactly;-webkit-text-size-adjust:none}',
      '<table><tr><td>x</table>',
      bare('<table><tr><td style="mso-line-height-rule: exactly; -webkit-text-size-adjust: none">x</table>'),
    ],
    [
      'styles body, not head',
      '*{margin:0}',
      '<p>x</p>',
      '<!doctype html><html style="margin: 0"><head></head><body style="margin: 0">' +
        '<p style="margin: 0">x</p></body></html>',
    ],
    [
      'does not touch an unquoted value before a slash',
      'a{color:red}',
      '<a href=/x/>x</a>',
      bare('<a style="color: red" href=/x/>x</a>'),
    ],
    [
      'splits a list by what can move',
      'a,a:hover{color:red}',
      '<a>x</a>',
      page('a:hover{color:red}', '<a style="color: red">x</a>'),
    ],
  ];
  for (const [promise, css, body, expected] of rows) {
    it(promise, () => assert.equal(inlineStyles(page(css, body)), expected));
  }
  const stays: [string, string, string][] = [
    ['media queries', '@media (max-width:600px){p{display:block}}', '<p>x</p>'],
    [
      'fonts, imports and keyframes',
      '@import "a.css";@font-face{font-family:x;src:url(y)}@keyframes z{from{color:red}}',
      '<p>x</p>',
    ],
    ['pseudo-elements', 'p:before{content:"x"}', '<p>x</p>'],
    [
      'rules for what a client puts around',
      '.ExternalClass p{margin:0}#outlook a{padding:0}u + .body p{color:red}',
      '<p>x</p>',
    ],
    ['rules it cannot read', 'v\\:*{behavior:url(#default#VML)}{{tag}}', '<p>x</p>'],
    ['sheets of another medium', '', '<p>x</p>'],
  ];
  for (const [what, css, body] of stays) {
    it(`leaves ${what} where they are`, () => assert.equal(inlineStyles(page(css, body)), page(css, body)));
  }
  it('leaves sheets for print alone', () => {
    const html = '<!doctype html><style media=print>p{color:red}</style><p>x</p>';
    assert.equal(inlineStyles(html), html);
  });
  it('keeps a rule that a conditional comment needs, and applies it', () => {
    const html = page('.b{color:red}', '<p class=b>x</p><!--[if mso]><td class="b">y</td><![endif]-->');
    assert.equal(inlineStyles(html), html.replace('<p class=b>', '<p style="color: red" class=b>'));
  });

  it('makes a query important where it would lose now', () => {
    const html = page('p{color:red}@media (max-width:9px){p{color:blue;margin:0}}', '<p>x</p>');
    assert.equal(
      inlineStyles(html),
      page('@media (max-width:9px){p{color:blue !important;margin:0}}', '<p style="color: red">x</p>'),
    );
  });
  it('does so for states and for overlapping shorthands', () => {
    assert.equal(
      inlineStyles(page('a{border-top:0}a:hover{border:1px solid}', '<a>x</a>')),
      page('a:hover{border:1px solid !important}', '<a style="border-top: 0">x</a>'),
    );
  });
  it('does not where it would lose anyway', () => {
    assert.equal(
      inlineStyles(page('@media print{p{color:blue}}p{color:red}', '<p>x</p>')),
      page('@media print{p{color:blue}}', '<p style="color: red">x</p>'),
    );
    assert.equal(
      inlineStyles(page('p{margin:0}@media print{p{color:blue}}', '<p style="color:red">x</p>')),
      page('@media print{p{color:blue}}', '<p style="margin: 0; color:red">x</p>'),
    );
  });
  it('goes by the greater number where both are right', () => {
    const css = 'p{color:red}@media print{p{color:blue}}';
    const body = '<p>1</p><p>2</p><p style="color:green">3</p>';
    assert.match(inlineStyles(page(css, body)), /color:blue !important/);
  });
  it('removes what is overridden within quirks mode, where case does not matter', () => {
    assert.equal(inlineStyles('<style>.A{color:red}</style><p class=a>x'), '<p style="color: red" class=a>x');
  });
  it('leaves everything else byte for byte', () => {
    const odd = "<P  CLASS=a\n title='\"'>&nbsp;&eacute;<br><o:p></o:p>{{merge <tag>}}<td>stray<b><i>mis</b>nested</i>";
    assert.equal(inlineStyles(`<style>.a{color:red}</style>${odd}`), odd.replace('<P', '<P style="color: red"'));
  });
  it('gives a misnested element one attribute', () => {
    const result = inlineStyles('<!doctype html><style>b{color:red}</style><p><b>1<p>2</b>3');
    assert.equal(result.match(/style=/g)!.length, 1);
  });
  it('does not choke on hostile input', () => {
    const rules = Array.from({ length: 5_000 }, (_, index) => `b *:nth-child(n) b:not(.x${index}){color:red}`).join('');
    const hard = inlineStyles(page(rules, '<b>'.repeat(3_000)));
    assert.ok(hard.includes('b:not(.x4999)'));
    const wide = inlineStyles(page('*{color:red}'.repeat(3_000), '<b></b>'.repeat(20_000)));
    assert.ok(wide.length < 40_000_000);
    assert.ok(inlineStyles(page(`${'a '.repeat(20_000)}{color:red}`, '<a>')).includes('<a>'));
    assert.ok(inlineStyles(page('p{'.repeat(20_000), '<p>')).length > 0);
    assert.ok(inlineStyles(page(':not('.repeat(2_000), '<p>')).length > 0);
  });
});
