// Every note of the data that a rule depends on. Sentences that repeat from feature to feature are read by their words,
// the rest by number.

import { flowRelativeAlignment, textNotes } from './notes-css-text.ts';
import { displayOfOtherAccounts, layered, valueNotes } from './notes-css-values.ts';
import { sheetNotes } from './notes-css-sheets.ts';
import { htmlNotes } from './notes-html.ts';
import { kept, reasons, type Account, type NoteReading, type NoteTable } from './note-reading.ts';
import { selectorRules } from './css-selectors.ts';
import type { FeatureRule } from './rule.ts';

const byNumber: NoteTable = { ...valueNotes, ...textNotes, ...sheetNotes, ...htmlNotes };

const onlyFor = (wanted: Account) => (): NoteReading => ({
  kind: 'account',
  supported: (account) => account === wanted,
});
const notFor = (unwanted: Account) => (): NoteReading => ({
  kind: 'account',
  supported: (account) => account !== unwanted,
});

/** Families of sentences, first match wins. */
const sentences: [RegExp, (slug: string) => NoteReading][] = [
  [
    /`flex`, `grid`.*not supported with non google accounts/i,
    () => ({ kind: 'account', supported: (account) => account === 'google', lacks: [displayOfOtherAccounts] }),
  ],
  [
    /flow-relative values.*not supported with non g(?:oogle|mail) account/i,
    () => ({ kind: 'account', supported: (account) => account === 'google', lacks: [flowRelativeAlignment] }),
  ],
  [
    /^(?:partial\. )?(?:not supported|doesn['’]t work|does not render) with non g(?:oogle|mail) accounts/i,
    onlyFor('google'),
  ],
  [/(?:only supported|only works|supported) with non google accounts(?: only)?/i, notFor('google')],
  [/not supported (?:with|when using a) (?:hotmail\/outlook|microsoft|outlook)/i, notFor('microsoft')],
  [/not supported with non outlook accounts/i, onlyFor('microsoft')],
  [/only supported on type selectors/i, (slug) => ({ kind: 'rules', rules: onTypesOnly(slug) })],
  [/does not support multiple values/i, (slug) => ({ kind: 'rules', rules: [layered(slug.replace(/^css-/, ''))] })],
  [/interacting with the element submits the form/i, () => kept(reasons.static)],
  [/depends on browser support|depends on browser and operating system/i, () => kept(reasons.engine)],
];

/** The feature's pseudo-class counts on `a:hover`, and not on `.x:hover`. */
function onTypesOnly(slug: string): FeatureRule[] {
  const tokens = (selectorRules[slug] ?? []).flatMap((rule) =>
    rule.on === 'selector' && rule.token ? [rule.token] : [],
  );
  return [
    {
      on: 'selector',
      when: ({ compounds }) =>
        compounds.some(
          (compound) =>
            compound.pseudos.some((pseudo) => tokens.includes(pseudo)) &&
            compound.classes + compound.ids + compound.attributes.length > 0,
        ),
    },
  ];
}

/** How a note is understood; undefined when it changes nothing that a rule knows. */
export function readNote(slug: string, number: number, text: string | undefined): NoteReading | undefined {
  const numbered = byNumber[slug]?.[number];
  if (numbered || text === undefined) return numbered;
  const words = text.replace(/\s+/g, ' ');
  return sentences.find(([pattern]) => pattern.test(words))?.[1](slug);
}

/** Notes that are read by number: each must exist in the data, or its rule is dead. */
export function numberedNotes(): { slug: string; number: number }[] {
  return Object.entries(byNumber).flatMap(([slug, notes]) =>
    Object.keys(notes).map((number) => ({ slug, number: Number(number) })),
  );
}
