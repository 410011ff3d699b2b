// Style sheets, declarations, selectors and queries as emails carry them, and the facts that rules ask of them; pure.
export { findCssUrls } from './css-urls.ts';
export { declarationsOf, overlaps, parseStyleAttribute, type CssDeclaration } from './declarations.ts';
export { readMediaQuery, readMediaText, type MediaFacts } from './media-facts.ts';
export { readCss, type CssDeclarationPlace, type CssPlace, type CssPrelude } from './read-css.ts';
export { readSelector, type Compound, type SelectorFacts } from './selector-facts.ts';
export {
  compareSpecificity,
  compileSelector,
  type CompiledSelector,
  type MatchBudget,
  type SelectorMode,
  type Specificity,
} from './selectors.ts';
export {
  declarationOf,
  followsComment,
  hasComment,
  isTightImportant,
  parseDeclarations,
  parseStyleSheet,
  setValue,
  valueOf,
} from './style-sheet.ts';
export { readValue, type ValueFacts } from './value-facts.ts';
