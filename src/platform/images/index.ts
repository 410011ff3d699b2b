// Pixels: what `engines/images` cannot do without decoding.
export { optimize, type Optimization, type OptimizedImage } from './optimize-image.ts';
export { readPicture, screenshotOf, thumbnailOf, writePicture } from './pictures.ts';
export { pixelFacts } from './pixel-facts.ts';
export { drawSvg } from './raw-pixels.ts';
export { isWholePicture } from './whole.ts';
