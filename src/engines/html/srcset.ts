/** One candidate of a srcset. */
interface SrcsetCandidate {
  url: string;
  /** The number of a `2x` descriptor; 1 without a descriptor. */
  density: number;
  /** The number of a `640w` descriptor. */
  width: number | undefined;
}

/** The candidates of a srcset attribute (HTML §4.8.4.3.13); a URL may hold commas, but not end with one. */
export function parseSrcset(srcset: string): SrcsetCandidate[] {
  const found: SrcsetCandidate[] = [];
  const candidate = /[\s,]*([^\s,]\S*)([^,]*)/gy;
  for (let match = candidate.exec(srcset); match; match = candidate.exec(srcset)) {
    const written = match[1]!;
    const url = written.replace(/,+$/, '');
    const isWhole = url.length === written.length;
    // A comma at the end of the URL is the end of the candidate, so what follows is the next one.
    if (!isWhole) candidate.lastIndex -= match[2]!.length;
    const [, number = '', unit] = /(?:^|\s)(\d+(?:\.\d+)?)([xw])(?:\s|$)/.exec(isWhole ? match[2]! : '') ?? [];
    found.push({
      url,
      density: unit === 'x' ? Number(number) || 1 : 1,
      width: unit === 'w' ? Number(number) : undefined,
    });
  }
  return found;
}
