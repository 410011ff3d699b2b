// What a selector is made of.

import type { CssNode, List, Selector } from 'css-tree';

export interface Compound {
  hasType: boolean;
  typeName: string;
  classes: number;
  ids: number;
  attributes: { name: string; matcher: string; hasValue: boolean }[];
  /** `:hover`, `::before`. */
  pseudos: string[];
}

export interface SelectorFacts {
  /** Every part, nested ones too: `type`, `*`, `.`, `#`, `[]`, `>`, `+`, `~`, ` `, `:hover`, `::before`. */
  tokens: ReadonlySet<string>;
  compounds: Compound[];
  /** Compounds with two or more classes or ids: `.a.b`. */
  hasChain: boolean;
}

/** Elements that CSS 2 wrote with one colon. */
const oldPseudoElements = new Set(['before', 'after', 'first-line', 'first-letter']);

/** Spellings of one pseudo-class or pseudo-element. */
const spellings: Record<string, string> = {
  '::-webkit-input-placeholder': '::placeholder',
  '::-moz-placeholder': '::placeholder',
  ':-moz-placeholder': '::placeholder',
  ':-ms-input-placeholder': '::placeholder',
  '::-ms-input-placeholder': '::placeholder',
};

export function readSelector(selector: Selector): SelectorFacts {
  const tokens = new Set<string>();
  const compounds = readCompounds(selector.children, tokens);
  const hasChain = compounds.some((compound) => compound.classes + compound.ids > 1);
  if (hasChain) tokens.add('.a.b');
  return { tokens, compounds, hasChain };
}

function readCompounds(children: List<CssNode>, tokens: Set<string>): Compound[] {
  let compound = emptyCompound();
  const compounds = [compound];
  children.forEach((node) => {
    if (node.type === 'Combinator') {
      tokens.add(node.name);
      compounds.push((compound = emptyCompound()));
    } else readSimple(node, compound, tokens);
  });
  return compounds;
}

function emptyCompound(): Compound {
  return { hasType: false, typeName: '', classes: 0, ids: 0, attributes: [], pseudos: [] };
}

function readSimple(node: CssNode, compound: Compound, tokens: Set<string>): void {
  switch (node.type) {
    case 'TypeSelector':
      if (node.name.endsWith('*')) tokens.add('*');
      else {
        tokens.add('type');
        compound.hasType = true;
        compound.typeName = node.name.toLowerCase();
      }
      break;
    case 'ClassSelector':
      tokens.add('.');
      compound.classes++;
      break;
    case 'IdSelector':
      tokens.add('#');
      compound.ids++;
      break;
    case 'AttributeSelector':
      tokens.add('[]');
      compound.attributes.push({
        name: node.name.name.toLowerCase(),
        matcher: node.matcher ?? '',
        hasValue: node.value !== null,
      });
      break;
    case 'PseudoClassSelector':
    case 'PseudoElementSelector': {
      const name = node.name.toLowerCase();
      const written = node.type === 'PseudoElementSelector' || oldPseudoElements.has(name) ? `::${name}` : `:${name}`;
      const pseudo = spellings[written] ?? written;
      tokens.add(pseudo);
      compound.pseudos.push(pseudo);
      node.children?.forEach((child) => readArgument(child, tokens));
      break;
    }
    default:
  }
}

/** Selectors inside `:not()`, `:is()`, `:nth-child(… of …)` lend their parts; their own compounds don't matter. */
function readArgument(node: CssNode, tokens: Set<string>): void {
  if (node.type === 'Selector') readCompounds(node.children, tokens);
  else if (node.type === 'SelectorList') node.children.forEach((child) => readArgument(child, tokens));
  else if (node.type === 'Nth' && node.selector) readArgument(node.selector, tokens);
}
