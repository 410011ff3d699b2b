// A message as it is written: where everything stands in the source, and who reads it; pure.
export { resolveConditionals } from './conditional-comments.ts';
export {
  conditionOf,
  EVERYBODY,
  joinReaders,
  markerKind,
  readersAt,
  wordVersionsOf,
  type ConditionalMarker,
} from './conditional-ranges.ts';
export { elementPaths } from './element-paths.ts';
export {
  attributeOf,
  kilobytes,
  plural,
  quoted,
  readForChecks,
  shownElements,
  type MessageToCheck,
  type MessageUnderCheck,
} from './message-under-check.ts';
export { messageHtml, type MessageHtml } from './message-html.ts';
export { type LocatedElement, type LocatedMessage } from './read-message.ts';
export { lineOf, readableLine, wordCharacters, type TextRun } from './readable-text.ts';
export type { Readers, WordVersion } from './readers.ts';
export { lineColumnAt, lineStartsOf, snippetOf } from './source-lines.ts';
export { markTags, SOURCE_MARK, sourcesOf, type FindSource, type SourcePlace } from './source-marks.ts';
export type { WebFont } from './word-source.ts';
