// How reports name the place of a finding: as compilers do, so that editors and terminals open it.

interface Named {
  file?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
}

/** `12:4`, or `parts/footer.tsx:12:4` where a file is named; undefined where no line is known. */
export function placeName({ file, line, column }: Named = {}): string | undefined {
  if (line === undefined) return undefined;
  return [file, line, column].filter((part) => part !== undefined).join(':');
}
