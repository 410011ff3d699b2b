import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMessage, workOn } from './parse-message.ts';
import { serialize } from './serialize-document.ts';
import {
  append,
  attributeOf,
  createElement,
  createText,
  elementsOf,
  fragmentOf,
  inlineStyleOf,
  inlineValueOf,
  insertBefore,
  removeAttribute,
  removeInlineDeclaration,
  removeNode,
  renameElement,
  replaceNode,
  setAttribute,
  setInlineDeclaration,
  setValue,
  textOf,
  unwrap,
  valueOf,
  type Element,
  type WorkingDocument,
} from './working-document.ts';

const open = (html: string) => workOn(parseMessage(html));
const find = (doc: WorkingDocument, tag: string): Element => elementsOf(doc.document).find((el) => el.tagName === tag)!;
const bodyOf = (doc: WorkingDocument) => /<body>(.*)<\/body>/s.exec(serialize(doc))?.[1];

describe('working document', () => {
  it('lists elements in document order, those inside templates too', () => {
    const doc = open('<div><p><b>x</b></p></div><template><i></i></template><u></u>');
    assert.deepEqual(
      elementsOf(doc.body).map((el) => el.tagName),
      ['div', 'p', 'b', 'template', 'i', 'u'],
    );
    assert.equal(textOf(find(doc, 'div')), 'x');
  });

  it('moves, replaces, unwraps and renames nodes', () => {
    const doc = open('<div><b>one</b> <i>two</i></div>');
    const [div, b, i] = [find(doc, 'div'), find(doc, 'b'), find(doc, 'i')];
    insertBefore(b, createText('zero '));
    append(div, createElement('hr', { class: 'line' }));
    unwrap(b);
    renameElement(i, 'em');
    assert.equal(bodyOf(doc), '<div>zero one <em>two</em><hr class="line"></div>');
    replaceNode(i, ...fragmentOf('<s>2</s>!'));
    removeNode(find(doc, 'hr'));
    assert.equal(bodyOf(doc), '<div>zero one <s>2</s>!</div>');
    assert.equal(i.parentNode, null);
  });

  it('sets and removes attributes', () => {
    const doc = open('<p id="a">x</p>');
    const p = find(doc, 'p');
    setAttribute(p, 'id', 'b');
    setAttribute(p, 'class', 'c');
    assert.equal(attributeOf(p, 'id'), 'b');
    removeAttribute(p, 'id');
    assert.equal(attributeOf(p, 'id'), undefined);
    assert.equal(bodyOf(doc), '<p class="c">x</p>');
  });

  it('writes style attributes that were edited in place, and leaves the others as the sender wrote them', () => {
    const doc = open('<p style="color : red ;; margin:0">x</p><b style="COLOR :blue">y</b>');
    const style = inlineStyleOf(doc, find(doc, 'p'))!;
    style.children.forEach((node) => {
      if (node.type === 'Declaration' && valueOf(node) === 'red') setValue(node, 'green');
    });
    assert.equal(bodyOf(doc), '<p style="color:green;margin:0">x</p><b style="COLOR :blue">y</b>');
  });

  it('finds the declaration that wins and puts new ones where they win', () => {
    const doc = open('<p style="margin:1px;margin:2px!important;Margin:3px;--x:1">x</p><b>y</b>');
    const [p, b] = [find(doc, 'p'), find(doc, 'b')];
    assert.equal(inlineValueOf(doc, p, 'margin'), '2px');
    assert.equal(inlineValueOf(doc, p, '--x'), '1');
    assert.equal(inlineValueOf(doc, p, '--X'), undefined);
    setInlineDeclaration(doc, p, 'margin', '4px');
    removeInlineDeclaration(doc, p, '--x');
    setInlineDeclaration(doc, b, 'color', 'red', true);
    assert.equal(bodyOf(doc), '<p style="margin:4px">x</p><b style="color:red!important">y</b>');
    removeInlineDeclaration(doc, b, 'color');
    assert.equal(bodyOf(doc), '<p style="margin:4px">x</p><b>y</b>');
  });

  it('forgets the parsed style when the attribute is replaced', () => {
    const doc = open('<p style="color:red">x</p>');
    const p = find(doc, 'p');
    assert.equal(inlineValueOf(doc, p, 'color'), 'red');
    setAttribute(p, 'style', 'color:blue');
    assert.equal(inlineValueOf(doc, p, 'color'), 'blue');
    removeAttribute(p, 'style');
    assert.equal(inlineStyleOf(doc, p), undefined);
  });
});
