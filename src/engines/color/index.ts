// Colors read, written, compared and changed; pure.
export {
  contrastOf,
  formatColor,
  fromLab,
  parseColor,
  parseLegacyColor,
  replaceColors,
  toLab,
  type Color,
} from './color.ts';
