import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileMjml, isMjml } from './index.ts';

const mail = (column: string, head = ''): string =>
  `<mjml>\n<mj-head>${head}</mj-head>\n<mj-body><mj-section><mj-column>\n${column}\n` +
  '</mj-column></mj-section></mj-body></mjml>';

async function htmlOf(source: string): Promise<string> {
  const compiled = await compileMjml(source);
  assert.ok(compiled.ok, JSON.stringify(compiled));
  return compiled.html;
}

/** Every piece stands in the HTML, one after the other. */
function follows(html: string, pieces: readonly string[]): void {
  let place = 0;
  for (const piece of pieces) {
    const at = html.indexOf(piece, place);
    assert.ok(at >= place, `${piece} is not in its place in: ${html}`);
    place = at + piece.length;
  }
}

describe('compileMjml', () => {
  const kept: [string, string, string[]][] = [
    [
      'elements as MJML does',
      mail('<mj-text>Hello</mj-text>', '<mj-title>A letter</mj-title>'),
      ['<!doctype html>', '<title>A letter</title>', 'mj-column-per-100', 'font-family:Ubuntu', '>Hello</div>'],
    ],
    [
      'variables in texts and attributes, with the quotes that they have',
      mail('<mj-button href="{{lookup links "shop"}}">{{{label}}} & {{name}}</mj-button>'),
      ['href="{{lookup links "shop"}}"', '{{{label}}} & {{name}}'],
    ],
    [
      'a block around elements of a column',
      mail('<mj-text>one</mj-text>{{#if more}}<mj-text>two</mj-text>{{else}}<mj-text>no</mj-text>{{/if}}'),
      ['one</div>', '</tr>', '{{#if more}}', '<tr>', 'two</div>', '{{else}}', 'no</div>', '{{/if}}', '</tbody>'],
    ],
    [
      'a block around sections',
      '<mjml><mj-body>{{#each items}}<mj-section><mj-column><mj-text>{{this}}</mj-text></mj-column></mj-section>' +
        '{{/each}}</mj-body></mjml>',
      ['<body', '{{#each items}}', '<table', '{{this}}</div>', '</table>', '{{/each}}', '</body>'],
    ],
    [
      'rows that repeat, where styles are inlined',
      mail(
        '<mj-table>{{#each rows}}<tr><td class="k">{{n}}</td></tr>{{/each}}</mj-table>',
        '<mj-style inline="inline">.k { color: red; background: {{tone}} }</mj-style>',
      ),
      ['{{#each rows}}<tr><td class="k" style="color: red; background: {{tone}};">{{n}}</td></tr>{{/each}}'],
    ],
    [
      'a title and a preview with variables',
      mail('<mj-text>x</mj-text>', '<mj-title>For {{name}}</mj-title><mj-preview>{{#if a}}A{{/if}}</mj-preview>'),
      ['<title>For {{name}}</title>', '{{#if a}}A{{/if}}'],
    ],
    ['a comment of the template', mail('{{!-- says nothing --}}<mj-text>{{!x}}Hi</mj-text>'), ['>{{!x}}Hi</div>']],
    ['its own word in a text', mail('<mj-text>mjmltag0z {{name}}</mj-text>'), ['>mjmltag0z {{name}}</div>']],
  ];
  for (const [what, source, pieces] of kept)
    it(`keeps ${what}`, async () => {
      const html = await htmlOf(source);
      follows(html, pieces);
      assert.doesNotMatch(html, /mjmltagq?\d+z(?! \{\{name)/);
    });

  const refused: [string, string, number | null, RegExp][] = [
    ['no MJML', '<p>x</p>', 1, /^MJML begins with <mjml>, and there is none\.$/],
    ['no body', '<mjml></mjml>', null, /Malformed MJML/],
    ['an element that is open', mail('<mj-text>x'), 4, /^<mj-text> is not closed\.$/],
    ['an end of nothing', mail('</mj-text>'), 4, /^<\/mj-text> closes nothing: <mj-column> of line 3 is open\.$/],
    ['a file that is named', mail('<mj-include path="/etc/passwd" />'), 4, /^mj-include is refused/],
    ['a file that a text names', mail('<mj-raw><mj-include path="a" /></mj-raw>'), 4, /^mj-include is refused/],
    [
      'a block where MJML has no place for one',
      mail('<mj-carousel>\n{{#each a}}<mj-carousel-image src="{{this}}" />{{/each}}</mj-carousel>'),
      5,
      /^"\{\{#each a\}\}" cannot stand in <mj-carousel>/,
    ],
    ['depth', mail('<mj-wrapper>'.repeat(80)), 4, /^Elements are nested more than 60 deep\.$/],
    [
      'much HTML of little MJML',
      `<mjml><mj-body>${'<mj-section />'.repeat(5000)}</mj-body></mjml>`,
      null,
      /^The HTML that it becomes has \d+ bytes; at most 409600 \(400 KiB\) are accepted\.$/,
    ],
  ];
  for (const [what, source, line, says] of refused)
    it(`refuses ${what}`, async () => {
      const compiled = await compileMjml(source);
      assert.ok(!compiled.ok);
      assert.equal(compiled.problem.line, line);
      assert.match(compiled.problem.problem, says);
    });

  const odd: [string, string, string[]][] = [
    ['nothing', mail('<mj-text color="{{tone}}" padding="{{room}}">x</mj-text>'), []],
    ['an element', mail('<mj-nope />'), ["4 mj-nope: Element mj-nope doesn't exist or is not registered."]],
    ['an attribute', mail('<mj-text tone="red">x</mj-text>'), ['4 mj-text: Attribute tone is illegal.']],
    ['a text', mail('\nHello'), ['5 The text "Hello" in <mj-column> is left out: put it into mj-text.']],
    [
      'a variable',
      mail('<mj-image src="a.png" width="{{w}}" />'),
      ['4 {{w}} is not in the HTML: MJML takes no variable where it stands.'],
    ],
  ];
  for (const [what, source, says] of odd)
    it(`says of ${what} what is not as it may seem`, async () => {
      const compiled = await compileMjml(source);
      assert.ok(compiled.ok);
      assert.deepEqual(
        compiled.warnings.map(({ line, problem }) => `${line} ${problem}`),
        says,
      );
    });

  it('leaves nothing behind that only browsers have', () => assert.equal('window' in globalThis, false));
});

describe('isMjml', () => {
  for (const [text, is] of [
    ['<mjml>', true],
    ['\n<!-- a --><mjml lang="en">', true],
    ['<?xml version="1.0"?>\n<mjml>', true],
    ['<mjmlx>', false],
    ['<p><mjml></p>', false],
    ['{{name}}', false],
  ] as const)
    it(`says ${is ? 'yes' : 'no'} of ${JSON.stringify(text)}`, () => assert.equal(isMjml(text), is));
});
