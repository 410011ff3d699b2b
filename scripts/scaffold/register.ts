// The three lists that know every resource, each with one more.
import type { Names } from './names.ts';

/** Puts a line among others like it, in the order of what `key` reads of each. Throws where there are none. */
function among(
  text: string,
  { line, like, key }: { line: string; like: RegExp; key: (line: string) => string },
): string {
  const lines = text.split('\n');
  const places = lines.flatMap((one, place) => (like.test(one) ? [place] : []));
  if (places.length === 0) throw new Error(`No line stands where "${line}" belongs.`);
  const before = places.findLast((place) => key(lines[place]!) < key(line));
  lines.splice(before === undefined ? places[0]! : before + 1, 0, line);
  return lines.join('\n');
}

/** `src/app/features.ts`: an import and an entry. */
function withFeature(text: string, { area, many, manyCamel }: Names): string {
  const nameOf = (line: string): string => /^import (\w+)|^ {2}(\w+),/.exec(line)?.slice(1).find(Boolean) ?? '';
  const imported = among(text, {
    line: `import ${manyCamel} from '../features/${area}/${many}/index.ts';`,
    like: /^import \w+ from '\.\.\/features\//,
    key: nameOf,
  });
  return among(imported, { line: `  ${manyCamel},`, like: /^ {2}\w+,$/, key: nameOf });
}

/** `web/src/pages.ts`: an import, and a place among the pages of whoever has signed in. */
function withPages(text: string, { area, many, manyCamel }: Names): string {
  const from = (line: string): string => /'(.*)'/.exec(line)?.[1] ?? '';
  const imported = among(text, {
    line: `import { ${manyCamel}Pages } from './areas/${area}/${many}/pages.ts';`,
    like: /^import .* from '\.\/areas\//,
    key: from,
  });
  const placed = imported.replace(/(const signedIn = \[[^\]]*?),?(\s*\] as const;)/, `$1, ...${manyCamel}Pages$2`);
  if (placed === imported) throw new Error('web/src/pages.ts has no list `signedIn`.');
  return placed;
}

/** `src/platform/config/quotas.ts`: how many an account may have. */
function withQuota(text: string, { manyCamel, manyWords }: Names): string {
  const placed = text.replace(
    /(export const QUOTAS = \{[^}]*(?:\{[^}]*\}[^}]*)*)(\n\} as const;)/,
    `$1\n  ${manyCamel}: { max: 10_000, about: '${manyWords}' },$2`,
  );
  if (placed === text) throw new Error('src/platform/config/quotas.ts has no list `QUOTAS`.');
  return placed;
}

/** How each file that lists resources becomes one that lists this one too. */
export const REGISTERS: Readonly<Record<string, (text: string, names: Names) => string>> = {
  'src/app/features.ts': withFeature,
  'src/platform/config/quotas.ts': withQuota,
  'web/src/pages.ts': withPages,
};
