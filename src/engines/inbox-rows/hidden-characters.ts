// Characters that change how a line reads without being seen: what a stranger forges a sender or a subject with.

const NAMES: ReadonlyMap<number, string> = new Map([
  [0x061c, 'Arabic letter mark'],
  [0x200b, 'zero width space'],
  [0x200e, 'left-to-right mark'],
  [0x200f, 'right-to-left mark'],
  [0x202a, 'left-to-right embedding'],
  [0x202b, 'right-to-left embedding'],
  [0x202c, 'pop directional formatting'],
  [0x202d, 'left-to-right override'],
  [0x202e, 'right-to-left override'],
  [0x2060, 'word joiner'],
  [0x2066, 'left-to-right isolate'],
  [0x2067, 'right-to-left isolate'],
  [0x2068, 'first strong isolate'],
  [0x2069, 'pop directional isolate'],
  [0xfeff, 'zero width no-break space'],
]);

/** Embeddings, overrides, isolates and control characters: they reach beyond the text that holds them. */
const reaching = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
/** Tags spell out flags behind a black flag (UTS #51), and hide text elsewhere. */
const hiddenTags = /(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]*)[\u{e0001}-\u{e007f}]/gu;
const seen = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;
/** In a preview such characters are the padding behind a preheader. */
const seenInPreview = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

export interface HiddenCharacter {
  field: 'sender' | 'subject' | 'preview';
  /** `U+202E` */
  codePoint: string;
  name: string;
  count: number;
  /** It turns the direction of the text around it, and can make it read as something else. */
  turnsText: boolean;
}

/** A line of text without characters that reach beyond it; what they stand for as blanks stays a blank. */
export function harmlessLine(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(reaching, '').replace(hiddenTags, '').replace(/ {2,}/g, ' ').trim();
}

/** Which of them a text holds, each once. Line breaks and tabs are blanks, not hidden. */
export function hiddenCharactersIn(text: string, field: HiddenCharacter['field']): HiddenCharacter[] {
  const counts = new Map<number, number>();
  const add = (found: string): void => {
    const code = found.codePointAt(0)!;
    if (!'\t\r\n'.includes(found)) counts.set(code, (counts.get(code) ?? 0) + 1);
  };
  for (const [found] of text.matchAll(field === 'preview' ? seenInPreview : seen)) add(found);
  for (const [found] of text.matchAll(hiddenTags)) add(found);
  return [...counts].map(([code, count]) => ({
    field,
    codePoint: `U+${code.toString(16).toUpperCase().padStart(4, '0')}`,
    name: NAMES.get(code) ?? (code >= 0xe0000 ? 'tag character' : 'control character'),
    count,
    turnsText: (code >= 0x202a && code <= 0x202e && code !== 0x202c) || (code >= 0x2066 && code <= 0x2068),
  }));
}
