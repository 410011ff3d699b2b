import { parse, parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { ReadDocument } from './read-document.ts';

/** Conditional comments inside conditional comments: honest mails have two levels at most. */
const COMMENT_DEPTH_MAX = 3;

/**
 * All elements of a document in order, also those inside conditional comments (`<!--[if mso]>…<![endif]-->`) and
 * templates. Works with a stack of its own, so that no nesting is too deep. `known` is the same HTML, read already.
 */
export function* walkElements(html: string, known?: ReadDocument): Generator<Tree.Element> {
  const stack: { node: Tree.Node; commentDepth: number }[] = [];
  const pushAll = (nodes: Tree.Node[], commentDepth: number) => {
    for (let index = nodes.length - 1; index >= 0; index--) stack.push({ node: nodes[index]!, commentDepth });
  };
  // Without scripting, noscript holds elements instead of text.
  const document = known?.isComplete ? known.document : parse(html, { scriptingEnabled: false });
  pushAll(document.childNodes, 0);
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { node, commentDepth } = top;
    if (node.nodeName === '#comment') {
      const inner = conditionalContent((node as Tree.CommentNode).data);
      if (inner === undefined || commentDepth >= COMMENT_DEPTH_MAX) continue;
      pushAll(parseFragment(inner, { scriptingEnabled: false }).childNodes, commentDepth + 1);
    } else if ('tagName' in node) {
      yield node;
      if ('content' in node) pushAll(node.content.childNodes, commentDepth);
      pushAll(node.childNodes, commentDepth);
    }
  }
}

/** The HTML inside a conditional comment; undefined for any other comment. */
export function conditionalContent(comment: string): string | undefined {
  const opening = /^\s*\[if\s[^\]]*\]>/i.exec(comment);
  return opening ? comment.slice(opening[0].length).replace(/<!\[endif\]\s*$/i, '') : undefined;
}

/** The value of an attribute, entities decoded. */
export function attributeOf(element: Tree.Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

/** The text directly inside an element, such as a style sheet. */
export function textInside(element: Tree.Element): string {
  return element.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
}
