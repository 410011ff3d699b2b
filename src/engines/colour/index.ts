// Colours read, written, compared and changed; pure.
export {
  contrastOf,
  formatColour,
  fromLab,
  parseColour,
  parseLegacyColour,
  replaceColours,
  toLab,
  type Colour,
} from './colour.ts';
