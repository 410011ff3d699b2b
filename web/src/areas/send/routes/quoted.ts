// Texts in quotes, as expressions and actions of routes have them: a backslash stays, but for one before the quote.

/** With quotes around. A quote within is escaped, and is not escaped twice. */
export function quote(text: string): string {
  const within = text.replaceAll(/\\(.)|"/gsu, (whole, escaped?: string) =>
    escaped === undefined || escaped === '"' ? '\\"' : whole,
  );
  return `"${within}"`;
}

/** A text in quotes at the beginning of a source; undefined where there is none. */
export function readQuoted(source: string): { text: string; length: number } | undefined {
  const mark = source[0];
  if (mark !== '"' && mark !== "'") return undefined;
  let text = '';
  for (let place = 1; place < source.length; place += 1) {
    const character = source[place]!;
    if (character === mark) return { text, length: place + 1 };
    const next = source[place + 1];
    if (character !== '\\' || next === undefined) text += character;
    else {
      text += next === mark ? next : `\\${next}`;
      place += 1;
    }
  }
  return undefined;
}
