// Pixels: what `engines/images` cannot do without decoding.
export type { ImageSource, PixelProblem } from './image-source.ts';
export { optimise, type Optimisation, type OptimisedImage, type OptimiseOptions } from './optimise-image.ts';
export { readPicture, writePicture, type Pixels } from './pictures.ts';
export { pixelFacts, type PixelFacts, type PixelOutcome } from './pixel-facts.ts';
export type { Attempt } from './still-encoders.ts';
export { isWholePicture } from './whole.ts';
export { DIFFERENCE_MAX, type VisualDifference } from './visual-difference.ts';
