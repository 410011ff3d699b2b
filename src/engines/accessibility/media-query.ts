// Whether a media query holds for a reader with a screen of a given width and color scheme.

export interface Screen {
  colorScheme: 'light' | 'dark';
  widthPx: number;
}

/** Evaluates a media query list; what is not understood is taken as not true. */
export function holdsOn(screen: Screen, mediaText: string): boolean {
  const text = mediaText.trim().toLowerCase();
  return text === '' || text.split(',').some((query) => queryHolds(query.trim(), screen));
}

function queryHolds(query: string, screen: Screen): boolean {
  const isNegated = /^not\s/.test(query);
  const parts = query
    .replace(/^(?:not|only)\s+/, '')
    .split(/\s+and\s+|\)\s*and\s*\(/)
    .map((part) => part.replace(/[()\s]/g, ''));
  const holds = parts.every((part) => partHolds(part, screen));
  return isNegated ? !holds : holds;
}

function partHolds(part: string, { colorScheme, widthPx }: Screen): boolean {
  if (part === 'all' || part === 'screen') return true;
  const [name = '', value = ''] = part.split(':');
  if (name === 'prefers-color-scheme') return value === colorScheme;
  const pixels = /^([\d.]+)(px|em|rem)?$/.exec(value);
  const length = pixels ? Number(pixels[1]) * (pixels[2] === undefined || pixels[2] === 'px' ? 1 : 16) : NaN;
  if (name === 'min-width' || name === 'min-device-width') return widthPx >= length;
  if (name === 'max-width' || name === 'max-device-width') return widthPx <= length;
  return false;
}
