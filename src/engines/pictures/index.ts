// Pictures compared, row by row; pure.
export { comparePictures, type Picture } from './compare-pictures.ts';
export type { Band } from './difference.ts';
export { compareLikeness, LIKENESS_RULE, type Likeness } from './likeness.ts';
