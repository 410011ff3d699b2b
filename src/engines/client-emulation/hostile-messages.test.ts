import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CLIENTS } from './catalog.ts';
import { emulate } from './emulate.ts';
import { parseMessage } from './parse-message.ts';
import { clientsOfData, features } from '../caniemail/index.ts';
import { bareProfile, probesOf } from './table-probes/check-cell.ts';
import { readPage } from './table-probes/find-needle.ts';

const many = (text: string, times = 10_000) => text.repeat(times);
const numbered = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join('');

/** Messages that try a parser's stack, its memory, or its patience. */
const attacks: Record<string, string> = {
  'nested elements': many('<div>'),
  'nested elements beyond the limit': many('<div>', 60_000),
  'nested styled elements': many('<div style="display:flex;margin:-1px">'),
  'nested unsupported elements': many('<section><video>'),
  'nested tables': many('<table><tr><td>', 2_000),
  'nested svg': many('<svg><foreignObject>', 3_000),
  'nested templates': many('<template>', 3_000),
  'tags that are never closed': many('<b><i><a href=x><p>', 500),
  'formatting that multiplies': numbered(3_000, (n) => `<b a=${n}>`) + many('<p>x', 3_000),
  'misnested formatting': many('<a><b><table>', 1_000),
  'one element with very many attributes': `<p ${numbered(20_000, (n) => `a${n} `)}>x`,
  'very many siblings': many('<wbr><script></script><section></section>', 5_000),
  'null bytes': '\0<p\0 style="color\0:red\0">\0a</p>',
  'half a tag': '<p style="color:red',
  'half a comment': '<!-- <p>x',
  'a lone surrogate': '<p>\ud800</p><style>p::after{content:"\udfff"}</style>',
  'a huge sheet': `<style>${many('.a{color:red}', 20_000)}</style>`,
  'nested blocks': `<style>${many('a{', 20_000)}</style>`,
  'nested at-rules': `<style>${many('@media screen{', 20_000)}</style>`,
  'nested parentheses': `<style>a{width:${many('calc(', 20_000)}}</style><p style="width:${many('(', 20_000)}">`,
  'nested selectors': `<style>${many(':not(', 20_000)}a{b:c}</style>`,
  'a list of selectors': `<style>${many('a,', 20_000)}b{c:d}</style>`,
  'sheets of errors': `<style>${many('}{;@media')}</style><style>${many('a{b c;}')}</style><style>${many('a{b:"\n;')}</style>`,
  'open comments in CSS': `<style>${many('/*')}</style><style>${many('a{/*!*/b:c}')}</style>`,
  'a long declaration list': `<p style="${many('margin:-1px;')}">x`,
  'very many layers': `<p style="background-image:${many('url(a),')}">x`,
  'rules inside rules': `<style>${many('a{', 50)}${many('b:c;d ', 2_000)}</style>`,
  'a frame set': '<frameset><frame src="x"></frameset>',
  'a base without sense': '<base href="::"><a href="//[">x</a>',
  'conditional comments': many('<!--[if mso]>', 3_000) + many('<![endif]-->', 3_000),
};

/** Three very different sets of rules, and one of each family that has plug-ins of its own. */
const bare = [
  ['gmail', 'desktop-webmail'],
  ['outlook', 'windows'],
  ['apple-mail', 'macos'],
  ['yahoo', 'desktop-webmail'],
].map(([family, platform]) => bareProfile({ family: family!, platform: platform!, version: '' }));
const named = [...new Map(CLIENTS.map((client) => [client.plugins.join(), client])).values()];

/** Numbers that look random and are the same every time (a linear congruential generator). */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

describe('hostile messages', () => {
  for (const [name, html] of Object.entries(attacks)) {
    it(`survives ${name}`, () => {
      const message = parseMessage(html);
      for (const client of bare)
        assert.match(emulate(message, client, { images: true }).html, /<\/html>$/, client.support?.family);
    });
  }

  it('survives what its own features look like in pieces, in every client', () => {
    const whole = features
      .flatMap(({ slug }) => probesOf(slug))
      .map((probe) => probe.html)
      .join('\n');
    const next = sequence(20_260_513);
    const everyone = [...clientsOfData().map((client) => bareProfile({ ...client, version: '' })), ...named];
    for (const client of everyone) {
      const start = next(whole.length);
      const piece = whole.slice(start, start + 4_000);
      const cut = next(piece.length);
      const torn =
        piece.slice(0, cut) +
        ['<', '"', '}', '{', '/*', '-->', '</p>', '\0', '<svg>', '<table>'][next(10)]! +
        piece.slice(cut + next(40));
      assert.match(emulate(parseMessage(torn), client, { images: next(2) === 0 }).html, /<\/html>$/, client.id);
    }
  });

  it('shows no element that Gmail lacks, however the message is torn', () => {
    const lacking = new Set(['video', 'audio', 'svg', 'object', 'picture', 'dialog', 'link', 'base', 'main', 'nav']);
    const source =
      '<svg><style><video></svg><table><video><tr><object><p><dialog><a><nav><div></a><math><mi>' +
      '<audio></mi><svg><title><link rel=x></title></svg></math><select><svg></select><picture>' +
      '<main><template><base></template></table>';
    const pieces = source.split(/(?=<)/);
    const next = sequence(7);
    for (let round = 0; round < 400; round++) {
      const torn = Array.from({ length: 12 }, () => pieces[next(pieces.length)]).join(round % 3 ? '' : ' x ');
      const { elements } = readPage(emulate(parseMessage(torn), bare[0]!, { images: true }).html);
      assert.deepEqual(
        elements.map((el) => el.tagName).filter((tag) => lacking.has(tag)),
        [],
        torn,
      );
    }
  });
});
