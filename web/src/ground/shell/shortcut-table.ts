// Every key and what it means: one meaning for a key, wherever it works. Pages declare the keys that open them.

export const MEANINGS = {
  newTest: { group: 'Everywhere', does: 'New test' },
  find: { group: 'Everywhere', does: 'Search everything' },
  navigation: { group: 'Everywhere', does: 'Show or hide the navigation' },
  help: { group: 'Everywhere', does: 'This list' },
  search: { group: 'This page', does: 'Search' },
  share: { group: 'This page', does: 'Share' },
  export: { group: 'This page', does: 'Export as zip' },
  source: { group: 'This page', does: 'Source' },
  details: { group: 'This page', does: 'Details' },
  compare: { group: 'This page', does: 'Compare with another client' },
  nextPlace: { group: 'This page', does: 'Next finding or row' },
  placeBefore: { group: 'This page', does: 'Previous finding or row' },
  messageOrSource: { group: 'This page', does: 'Message or source' },
  undo: { group: 'This page', does: 'Undo the deletion' },
  wayOfComparing: { group: 'This page', does: 'Next comparison mode' },
  swap: { group: 'This page', does: 'Swap clients, or select the row' },
  nextClient: { group: 'This page', does: 'Next client' },
  clientBefore: { group: 'This page', does: 'Previous client' },
  allPictures: { group: 'This page', does: 'All screenshots' },
  larger: { group: 'Zoom', does: 'Zoom in' },
  smaller: { group: 'Zoom', does: 'Zoom out' },
  fitWidth: { group: 'Zoom', does: 'Fit width' },
  actualSize: { group: 'Zoom', does: 'Actual size' },
  twiceTheSize: { group: 'Zoom', does: 'Double size' },
} as const;

export type Meaning = keyof typeof MEANINGS;

/**
 * By `KeyboardEvent.key`; `Mod+` is Ctrl, or the command key of a Mac, and works in fields, too. An object has each key
 * once, so that none can have two meanings.
 */
export const KEYS: Readonly<Record<string, Meaning>> = {
  n: 'newTest',
  'Mod+k': 'find',
  '?': 'help',
  b: 'navigation',
  '/': 'search',
  l: 'share',
  e: 'export',
  u: 'source',
  i: 'details',
  c: 'compare',
  j: 'nextPlace',
  k: 'placeBefore',
  m: 'messageOrSource',
  w: 'wayOfComparing',
  x: 'swap',
  z: 'undo',
  ArrowRight: 'nextClient',
  ArrowLeft: 'clientBefore',
  Escape: 'allPictures',
  '+': 'larger',
  '=': 'larger',
  '-': 'smaller',
  '0': 'fitWidth',
  '1': 'actualSize',
  '2': 'twiceTheSize',
};

/** The keys of a meaning. */
export function keysOf(meaning: Meaning): string[] {
  return Object.keys(KEYS).filter((key) => KEYS[key] === meaning);
}
