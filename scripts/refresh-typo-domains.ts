// Writes data/typo-domains anew from the rules below:
//
//   node scripts/refresh-typo-domains.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Domains of addresses that many readers have. Names of fewer letters are not varied: too many of theirs are used. */
const PROVIDERS = [
  'gmail.com',
  'googlemail.com',
  'hotmail.com',
  'outlook.com',
  'yahoo.com',
  'icloud.com',
  'protonmail.com',
  'comcast.net',
  'hotmail.fr',
  'hotmail.co.uk',
  'yahoo.co.uk',
  'yahoo.fr',
  'yahoo.de',
  'googlemail.de',
];
/** What is written for the ending of a name. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  com: ['con', 'cmo', 'ocm', 'cm', 'om', 'comm', 'vom', 'xom', 'coom', 'cpm', 'cim', 'co'],
  net: ['ner', 'bet', 'met', 'nett', 'ent'],
};
/** Names that somebody gives addresses at, or that are words of their own. */
const USED = new Set(['ymail.com', 'gail.com', 'email.com', 'mail.com', 'yahoo.co', 'outlook.co', 'hotmail.co']);
const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** Keys beside this one in its row. */
function beside(letter: string): string[] {
  const row = ROWS.find((one) => one.includes(letter)) ?? '';
  const place = row.indexOf(letter);
  return [row[place - 1], row[place + 1]].filter((one) => one !== undefined);
}

/** A letter left out, written twice, exchanged with the next, or its neighbor's; the first letter stays. */
function variants(name: string): string[] {
  const found: string[] = [];
  for (let at = 1; at < name.length; at += 1) {
    const [before, letter, after] = [name.slice(0, at), name.charAt(at), name.slice(at + 1)];
    found.push(before + after, before + letter + letter + after);
    found.push(...beside(letter).map((other) => before + other + after));
    if (after !== '') found.push(before + after.charAt(0) + letter + after.slice(1));
  }
  return found;
}

const known = new Set([...PROVIDERS, ...USED]);
const lines = PROVIDERS.map((provider) => {
  const [name = '', ...rest] = provider.split('.');
  const ending = rest.join('.');
  const typos = new Set([
    ...variants(name).map((variant) => `${variant}.${ending}`),
    ...(ENDINGS[ending] ?? []).map((slip) => `${name}.${slip}`),
  ]);
  const told = [...typos].filter((typo) => !known.has(typo)).toSorted();
  for (const typo of told) known.add(typo);
  return `  ${JSON.stringify({ provider, typos: told })}`;
});
writeFileSync(
  join(import.meta.dirname, '..', 'data', 'typo-domains', 'typo-domains.json'),
  `[\n${lines.join(',\n')}\n]\n`,
);
