import assert from 'node:assert/strict';
import { generate, type Rule } from 'css-tree';
import { describe, it } from 'node:test';
import { followsComment, hasComment, isTightImportant, parseDeclarations, parseStyleSheet } from './style-sheet.ts';

const rules = (css: string) =>
  parseStyleSheet(css)
    .children.toArray()
    .filter((node): node is Rule => node.type === 'Rule');

describe('reading style sheets', () => {
  it('keeps what it can read around what it cannot', () => {
    assert.equal(
      generate(parseStyleSheet('a{color:red;nonsense;top:0} @x; b{left:0} <!-- c{d:e} -->')),
      'a{color:red;nonsense;top:0}@x;b{left:0}<!--c{d:e}-->',
    );
    assert.equal(
      generate(parseDeclarations('color:red;;*zoom:1;mso-line-height-rule:exactly;x')),
      'color:red;*zoom:1;mso-line-height-rule:exactly;x',
    );
  });

  it('reads rules nested under an element name', () => {
    const [rule] = rules('p{color:red;b{top:0}&:hover{left:0}@media screen{right:0}bottom:0}');
    assert.deepEqual(
      rule!.block.children.toArray().map((node) => node.type),
      ['Declaration', 'Rule', 'Rule', 'Atrule', 'Declaration'],
    );
  });

  it('remembers comments and the space before !important', () => {
    const [first, second, third] = rules('/* x */ a{color:red!important} b{top:0;/* y */left:0 !important} c{top:0}');
    assert.deepEqual(
      [first, second, third].map((rule) => hasComment(rule!)),
      [false, true, false],
    );
    assert.deepEqual(
      [first, second, third].map((rule) => followsComment(rule!)),
      [true, false, false],
    );
    const declarations = [first, second]
      .flatMap((rule) => rule!.block.children.toArray())
      .filter((node) => node.type === 'Declaration');
    assert.deepEqual(
      declarations.map((node) => isTightImportant(node)),
      [true, false, false],
    );
  });

  it('takes an attack for an empty sheet', () => {
    assert.equal(generate(parseStyleSheet(`a{b:${'('.repeat(50_000)}`)), '');
    assert.equal(generate(parseStyleSheet('@media x{'.repeat(50_000))), '');
    assert.equal(generate(parseStyleSheet('}{;@media'.repeat(20_000))), '');
  });
});
