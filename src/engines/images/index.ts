// Images of messages: found, read from their headers, judged; pure. Pixels are the platform's (`platform/images`).
export { decodeDataUrl } from './data-url.ts';
export { findImages, IMAGES_MAX, imagesOfMessage, type FoundImage } from './find-images.ts';
export { supportWarning } from './format-support.ts';
export type { ImageLoad, ImageSubject, SkipReason } from './image-finding.ts';
export { judgeCompleteness, judgeImage, judgeImages } from './judge-image.ts';
export { hasMergeTag } from './load-rules.ts';
export { formatOfName, readImage } from './read-image.ts';
export type { ImageFacts, ImageFormat } from './types.ts';
