// Pixels: what `engines/images` cannot do without decoding.
export { optimise, type Optimisation, type OptimisedImage } from './optimise-image.ts';
export { readPicture, writePicture } from './pictures.ts';
export { pixelFacts } from './pixel-facts.ts';
export { isWholePicture } from './whole.ts';
