import type { ImageSubject } from './image-finding.ts';

/** `tracking`: a dot that reports the opening. `spacer`: a dot that holds a place open. */
type ImageRole = 'picture' | 'tracking' | 'spacer';

const DOT_MAX = 2;
const SPACER_NAME = /(?:spacer|blank|clear|transparent|shim|pixel[-_]?trans|trans)[^/]*$/i;

/** What an image is for, by its size as shown and as stored. */
export function roleOf({ url, found, facts }: ImageSubject): ImageRole {
  const { width, height, isHidden } = found?.size ?? { width: undefined, height: undefined, isHidden: false };
  const isNaturalDot =
    facts !== undefined && facts.format !== null && facts.width <= DOT_MAX && facts.height <= DOT_MAX;
  const isShownAsDot = (width ?? Infinity) <= DOT_MAX && (height ?? Infinity) <= DOT_MAX;
  const isShownLarger = (width ?? 0) > DOT_MAX || (height ?? 0) > DOT_MAX;
  const isUnsized = width === undefined && height === undefined;
  if (isShownAsDot || (isNaturalDot && (isUnsized || isHidden))) {
    const path = url.replace(/[?#].*$/s, '');
    const isOwnFile = SPACER_NAME.test(path) && !url.includes('?');
    return isOwnFile || !/^(?:https?:)?\/\//i.test(url) ? 'spacer' : 'tracking';
  }
  return isNaturalDot && isShownLarger ? 'spacer' : 'picture';
}
