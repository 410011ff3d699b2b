// Reading and rewriting the HTML of messages; pure.
export { altFault, fileStem, type AltFault } from './alt-text.ts';
export { boundedParser, type BoundedParser } from './bounded-parser.ts';
export { NAME_LENGTH_MAX, nameOfEmail, UNTITLED } from './email-name.ts';
export { findAssets, findStyleAssets } from './find-assets.ts';
export { imageFiles, imageName, type ImageName } from './image-name.ts';
export { inlinedAttributes, inlineStyles } from './inline-styles.ts';
export {
  baseOf,
  lineFinder,
  locatedElements,
  selectorMaker,
  startTagAt,
  type LineColumn,
  type LocatedElement,
} from './located-elements.ts';
export { DOCUMENT_LIMITS, readDocument, type ReadDocument } from './read-document.ts';
export { completionOf, countCompletedByPage, isRelativeAddress, type Completion } from './relative-addresses.ts';
export { resolveCids } from './resolve-cids.ts';
export { parseSrcset } from './srcset.ts';
export { textOf } from './text-of.ts';
export { attributeOf, textInside } from './walk-elements.ts';
