// One spelling everywhere, the American one; and few words with a meaning of their own.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const GLOSSARY_WORDS_MAX = 20;

/** The beginnings of words, and how American English writes them. */
const BRITISH: Record<string, string> = {
  behaviour: 'behavior',
  catalogue: 'catalog',
  centre: 'center',
  colour: 'color',
  favour: 'favor',
  fulfil: 'fulfill',
  grey: 'gray',
  honour: 'honor',
  judgement: 'judgment',
  labour: 'labor',
  licence: 'license',
  metre: 'meter',
  neighbour: 'neighbor',
  normalis: 'normaliz',
  optimis: 'optimiz',
  organis: 'organiz',
  recognis: 'recogniz',
  sanitis: 'sanitiz',
  serialis: 'serializ',
  summaris: 'summariz',
  tokenis: 'tokeniz',
};
/** Words that end after the British spelling: what follows it may make another word. */
const BRITISH_WORDS: Record<string, string> = {
  analyse: 'analyze',
  analysed: 'analyzed',
  centred: 'centered',
  labelled: 'labeled',
  learnt: 'learned',
  travelled: 'traveled',
};

/** What keeps another spelling, and why. */
const EXCEPTIONS = [
  // Fields and values of stored results: earlier versions wrote them.
  'colourDepthBits',
  'paletteColours',
  'colourSpace',
  "'grey'",
  // The name of a rule on the wire.
  'text-centred',
  // Names of other programs and standards: sharp, CSS, RFC 6647, ARIA.
  'toColourspace',
  '(?:dark|dim|light|slate|darkslate|lightslate)grey',
  '[Gg]reylist(?:ed|ing)?',
  'GREYLIST',
  'aria-labelledby',
  'ariaLabelledBy',
  '.labelledby',
];
/** Quotations and examples that are not ours, by file. */
const EXEMPT_FILES = [
  /^data\/caniemail\//,
  /^test\/fixtures\//,
  /^test\/wording\.test\.ts$/,
  // The names of CSS colors.
  /^src\/engines\/color\/color-names\.ts$/,
];

/** Every British spelling of a text, with the American one. */
function britishIn(text: string): string[] {
  const ours = text.replaceAll(/https?:\/\/[^\s'"`)>]+/g, '').replaceAll(new RegExp(EXCEPTIONS.join('|'), 'g'), '');
  const beginnings = Object.entries(BRITISH).map(([british, american]) => [british, american, british] as const);
  const words = Object.entries(BRITISH_WORDS).map(
    ([british, american]) => [british, american, String.raw`\b${british}\b`] as const,
  );
  return [...beginnings, ...words].flatMap(([british, american, pattern]) =>
    [...ours.matchAll(new RegExp(pattern, 'gi'))]
      .filter(({ 0: found, index }) => !(found.toLowerCase() === 'fulfil' && ours[index + 6] === 'l'))
      .map(({ index }) => {
        const line = ours.slice(0, index).split('\n').length;
        return `${line}: ${british} → ${american}`;
      }),
  );
}

const files = globSync(
  ['*.md', 'bin/**', '{bench,docs,scripts,sdk,src,test}/**/*.{ts,mjs,md}', 'web/{*,src/**/*}.{ts,tsx,css,html}'],
  { cwd: ROOT, exclude: (path) => path.includes('node_modules') },
)
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.\w+$/.test(file) && !EXEMPT_FILES.some((exempt) => exempt.test(file)));

describe('spelling', () => {
  it('is American in names, comments, messages and documents', () =>
    assert.deepEqual(
      files.flatMap((file) => britishIn(readFileSync(join(ROOT, file), 'utf8')).map((found) => `${file}:${found}`)),
      [],
    ));

  it('is American in the names of files', () =>
    assert.deepEqual(
      files.filter((file) => britishIn(file).length > 0),
      [],
    ));

  for (const [text, found] of [
    ['parseColour(value)', ['1: colour → color']],
    ['the\nBehaviour of a client', ['2: behaviour → behavior']],
    ['fulfilled, analyses, parameters, aria-labelledby, greylisting, lightgrey', []],
    ['see https://example.com/colour', []],
    ['it was labelled', ['1: labelled → labeled']],
  ] as const)
    it(`is found in “${text.replace('\n', ' ')}”: ${found.length}`, () => assert.deepEqual(britishIn(text), found));
});

describe('the glossary', () => {
  const glossary = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8');
  const words = [...glossary.matchAll(/^\| (?!word |---)([^|]+) \| ([^|]+) \|$/gm)].map(
    ({ 1: word, 2: meaning }) => [word!, meaning!] as const,
  );

  it(`has at most ${GLOSSARY_WORDS_MAX} words, each once, in order`, () => {
    const names = words.map(([word]) => word);
    assert.ok(names.length > 0 && names.length <= GLOSSARY_WORDS_MAX, `${names.length} words`);
    assert.deepEqual(names, [...new Set(names)].toSorted());
  });

  it('says what each is in whole sentences', () =>
    assert.deepEqual(
      words.filter(([, meaning]) => !/^[A-Z].*\.$/.test(meaning.trim())),
      [],
    ));
});
