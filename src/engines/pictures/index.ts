// Pictures compared, row by row; pure.
export { comparePictures, type Band, type Picture } from './compare-pictures.ts';
