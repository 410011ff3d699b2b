/**
 * How a document begins: where it is the same the mode is too, as a rule; what the mode is, the browser says.
 */
export function doctypeOf(html: string): string {
  return /^\s*<!doctype[^>]*>/i.exec(html)?.[0].toLowerCase() ?? '';
}
