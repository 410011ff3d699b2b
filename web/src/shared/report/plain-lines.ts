// A source as lines of HTML, without colors.

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Every kind of line end as one. */
export function withOneLineEnd(source: string): string {
  return source.replaceAll(/\r\n?/g, '\n');
}

/** HTML of each line. */
export function plainLines(source: string): string[] {
  return withOneLineEnd(source).split('\n').map(escaped);
}
