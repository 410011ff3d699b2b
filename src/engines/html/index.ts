// Reading and rewriting the HTML of messages; pure.
export { NAME_LENGTH_MAX, nameOfEmail, UNTITLED } from './email-name.ts';
export { findAssets, findStyleAssets } from './find-assets.ts';
export { inlineStyles } from './inline-styles.ts';
export { countCompletedByPage } from './relative-addresses.ts';
export { resolveCids } from './resolve-cids.ts';
export { textOf } from './text-of.ts';
