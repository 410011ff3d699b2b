// What stands on keys.
const NAMES: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc', ' ': 'Space' };

const isMac = (): boolean => /\bMac OS X\b/.test(globalThis.navigator?.userAgent ?? '');

/** The names of the keys that are pressed together: `['Ctrl', 'K']` of `Mod+k`, with ⌘ on a Mac. */
export function namesOfKey(key: string): string[] {
  const letter = /^Mod\+(.)$/.exec(key)?.[1];
  return letter === undefined ? [NAMES[key] ?? key] : [isMac() ? '⌘' : 'Ctrl', letter.toUpperCase()];
}
