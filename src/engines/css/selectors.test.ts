import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse as parseCss, type Selector } from 'css-tree';
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { compareSpecificity, compileSelector, type CompiledSelector } from './selectors.ts';

const DOCUMENT = `<!doctype html><html lang="en-GB"><body id="top" class="body a-b">
  <table class="Card wide" width="100%"><tr id="r1"><td id="c1" class="cell first">1</td><td id="c2" class="cell">2</td><td id="c3" title="say hello"></td></tr>
  <tr id="r2"><td id="c4"><a id="l1" href="https://a.example/x.pdf">l</a><b id="b1"></b><a id="l2">m</a><i id="i1"><!-- --></i></td></tr></table></body></html>`;

function compile(text: string, isQuirks = false): CompiledSelector | undefined {
  return compileSelector(parseCss(text, { context: 'selector' }) as Selector, { isQuirks });
}

function elements(html = DOCUMENT): Tree.Element[] {
  const found: Tree.Element[] = [];
  const walk = (node: Tree.ParentNode) => {
    for (const child of node.childNodes) {
      if (!('tagName' in child)) continue;
      found.push(child);
      walk(child);
    }
  };
  walk(parse(html));
  return found;
}

function select(text: string, isQuirks = false): string {
  const compiled = compile(text, isQuirks);
  assert.ok(compiled, `${text} did not compile`);
  const matched = elements().filter((element) => compiled.matches(element, { stepsLeft: 1e6 }));
  return matched.map((element) => element.attrs.find(({ name }) => name === 'id')?.value ?? element.tagName).join(' ');
}

describe('compileSelector', () => {
  const rows: [string, string][] = [
    ['td', 'c1 c2 c3 c4'],
    ['TD', 'c1 c2 c3 c4'],
    ['#c2', 'c2'],
    ['#C2', ''],
    ['.cell', 'c1 c2'],
    ['.cell.first', 'c1'],
    ['td.cell:not(.first)', 'c2'],
    ['table td', 'c1 c2 c3 c4'],
    ['tr > td > a', 'l1 l2'],
    ['table > td', ''],
    ['#c1 + td', 'c2'],
    ['#c1 ~ td', 'c2 c3'],
    ['#c3 + td', ''],
    ['body a + b ~ i', 'i1'],
    ['table tr:first-child td', 'c1 c2 c3'],
    ['tr:last-child a', 'l1 l2'],
    ['td:nth-child(2)', 'c2'],
    ['td:nth-child(odd)', 'c1 c3 c4'],
    ['td:nth-child(-n+2)', 'c1 c2 c4'],
    ['td:nth-child(n+2)', 'c2 c3'],
    ['td:nth-last-child(1)', 'c3 c4'],
    ['a:nth-of-type(2)', 'l2'],
    ['a:last-of-type', 'l2'],
    ['b:only-of-type', 'b1'],
    ['td:only-child', 'c4'],
    ['td:empty', 'c3'],
    ['i:empty', 'i1'],
    [':root', 'html'],
    ['a:any-link', 'l1'],
    ['[href]', 'l1'],
    ['a[href$=".pdf"]', 'l1'],
    ['a[href^="https:"]', 'l1'],
    ['a[href*="A.EXAMPLE"]', ''],
    ['a[href*="A.EXAMPLE" i]', 'l1'],
    ['[class~="wide"]', 'table'],
    ['[lang|=en]', 'html'],
    ['[title*=""]', ''],
    ['[width="100%"]', 'table'],
    [':is(#c1, #c2)', 'c1 c2'],
    [':where(td, th) b', 'b1'],
    ['td:not(.cell, #c3)', 'c4'],
    ['u + .body', ''],
    ['*:not(html):not(body):not(head) > #r1', 'r1'],
    [String.raw`.a\-b`, 'top'],
  ];
  for (const [text, expected] of rows) it(`matches ${text}`, () => assert.equal(select(text), expected));

  it('ignores the case of classes and ids in quirks mode only', () => {
    assert.equal(select('.card', true), 'table');
    assert.equal(select('#C2', true), 'c2');
    assert.equal(select('.card'), '');
  });
  const specificities: [string, number[]][] = [
    ['*', [0, 0, 0]],
    ['td', [0, 0, 1]],
    ['table td.cell', [0, 1, 2]],
    ['#a .b c', [1, 1, 1]],
    ['[x]:first-child', [0, 2, 0]],
    [':not(#a, .b)', [1, 0, 0]],
    [':is(td, .b) a', [0, 1, 1]],
    [':where(#a) a', [0, 0, 1]],
    ['a::before', [0, 0, 2]],
    ['a:hover', [0, 1, 1]],
  ];
  for (const [text, expected] of specificities) {
    it(`counts ${text}`, () => assert.deepEqual(compile(text)!.specificity, expected));
  }
  it('orders specificities from the left', () => {
    assert.ok(compareSpecificity([1, 0, 0], [0, 9, 9]) > 0);
    assert.ok(compareSpecificity([0, 1, 0], [0, 1, 1]) < 0);
    assert.equal(compareSpecificity([0, 1, 0], [0, 1, 0]), 0);
  });
  it('tells state and pseudo-elements from what is static', () => {
    for (const text of ['a:hover', 'a:visited', 'a:link', 'a::before', 'a:before', 'a:not(:hover)'])
      assert.equal(compile(text)!.isStatic, false, text);
    for (const text of ['a', 'a:first-child', 'a:not(.b)']) assert.equal(compile(text)!.isStatic, true, text);
    assert.equal(compile('a:before')!.isPseudoElement, true);
    assert.equal(select('a:hover'), 'l1 l2');
  });
  for (const text of ['svg|a', String.raw`v\:*`, ':has(a)', ':nth-child(2 of td)', '&.a', ':lang(en)']) {
    it(`has no meaning for ${text}`, () => assert.equal(compile(text), undefined));
  }
  it('stops when the budget is spent, however hard the selector', () => {
    const deep = elements(`<!doctype html>${'<b>'.repeat(400)}`);
    const hard = compile(`${'b '.repeat(40)}i, b`.split(',')[0]!.replace(/i$/, 'b:not(b)'))!;
    const budget = { stepsLeft: 100_000 };
    assert.equal(
      deep.some((element) => hard.matches(element, budget)),
      false,
    );
    assert.ok(budget.stepsLeft > -1000);
  });
});
