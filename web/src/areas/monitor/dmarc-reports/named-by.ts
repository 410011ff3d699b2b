const NAMED: Readonly<Record<string, string>> = {
  ptr: 'by the name of its address',
  dkim: 'by its signature',
  spf: 'by SPF',
};

/** How a source got its name; empty: nothing told it. */
export function namedBy(by: string): string {
  return NAMED[by] ?? '';
}
