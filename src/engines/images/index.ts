// Images of messages: found, read from their headers, judged; pure. Pixels are the platform's (`platform/images`).
export { decodeDataUrl } from './data-url.ts';
export { findImages, IMAGES_MAX, imagesOfMessage, type FoundImage, type ImageKind } from './find-images.ts';
export { baseSupport, formatSupport, supportWarning, type FormatSupport } from './format-support.ts';
export { propertiesOf } from './file-rules.ts';
export type { Impact, ImageLoad, ImageSubject, SkipReason } from './image-finding.ts';
export { hasMergeTag } from './load-rules.ts';
export { judgeImage, judgeCompleteness, judgeImages } from './judge-image.ts';
export { formatOfMediaType, formatOfName, readImage, sniffFormat } from './read-image.ts';
export type { ImageFacts, ImageFormat, ImageStatus, PixelFacts } from './types.ts';
