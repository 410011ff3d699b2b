// Checks one cell of the data against what the emulation does with literal messages.

import { emulate } from '../emulate.ts';
import { parseMessage, type ParsedMessage } from '../parse-message.ts';
import { featureOf, freshSupport, type Support } from '../../caniemail/index.ts';
import type { ClientProfile } from '../types.ts';
import { declarationProbes, sheetProbes } from './css-probes.ts';
import { finds, readPage, type ProbedPage } from './find-needle.ts';
import { htmlProbes } from './html-probes.ts';
import { valueNoteProbes } from './note-probes.ts';
import { css, inline, type NoteExpectation, type ProbeCase } from './probe-case.ts';
import { sheetNoteProbes } from './sheet-note-probes.ts';

type Account = 'google' | 'microsoft' | 'other';

export interface Target {
  family: string;
  platform: string;
  version: string;
}

/** Messages as one client shows them, each emulated once. */
export interface Bench {
  target: Target;
  pages: Map<string, ProbedPage>;
}

/** What was seen: nothing wrong, or what; or what hides the feature, so that it can't be seen. */
interface Finding {
  wrong: string[];
  hiddenBy?: string;
}

const messages = new Map<string, ParsedMessage>();

/** A client of the data with nothing of its own: no plug-ins, no dark mode. */
export function bareProfile(target: Target, account?: Account): ClientProfile {
  return {
    id: 'bare',
    displayName: '',
    client: '',
    version: '',
    os: '',
    category: 'Web',
    browser: '',
    family: '',
    support: { ...target, ...(account && { account }) },
    viewport: { width: 800, height: 600, pixelRatio: 1 },
    screenPixelRatio: 1,
    rotate: false,
    colorScheme: 'light',
    darkStrategy: 'none',
    darkBase: '',
    engine: 'chromium',
    fidelity: 'emulated',
    plugins: [],
    imageBlocking: false,
    free: true,
    default: false,
    extension: '',
    messageBytesMax: null,
    sources: [],
  };
}

function pageOf(bench: Bench, html: string, account?: Account): ProbedPage {
  const key = `${account ?? ''}|${html}`;
  let page = bench.pages.get(key);
  if (page) return page;
  let message = messages.get(html);
  if (!message) messages.set(html, (message = parseMessage(html)));
  page = readPage(emulate(message, bareProfile(bench.target, account), { images: true }).html);
  bench.pages.set(key, page);
  return page;
}

const isThere = (bench: Bench, probe: ProbeCase, account?: Account) =>
  finds(pageOf(bench, probe.html, account), probe.needle);

/** The probes of a feature: in a style attribute and in a style sheet, in a style sheet only, or in HTML. */
export function probesOf(slug: string): ProbeCase[] {
  const declarations = declarationProbes[slug];
  if (declarations) return declarations.flatMap((text) => [inline(text), css(`.one{${text}}`, `.one{${text}}`)]);
  const sheet = sheetProbes[slug];
  if (sheet) return [css(sheet.css, sheet.needle)];
  const probe = htmlProbes[slug];
  return probe ? [probe] : [];
}

/** Cells that say "not supported", and whose note says that it is there all the same, but does nothing. */
const thereAllTheSame = new Set([
  'html-acronym#1',
  'html-audio#2',
  'html-audio#3',
  'html-audio#4',
  'html-audio#6',
  'html-doctype#1',
  'html-form#6',
  'html-video#1',
  'html-video#7',
  'html-video#8',
  'html-video#10',
]);

export function checkCell(bench: Bench, slug: string, support: Support): Finding {
  const finding: Finding = { wrong: [] };
  for (const number of support.notes) checkNote(bench, { slug, number, support }, finding);
  const notes = support.notes.map((number) => `${slug}#${number}`);
  if (support.level === 'n' && !notes.some((note) => thereAllTheSame.has(note))) checkGone(bench, { slug }, finding);
  if (support.level === 'y' || (support.level === 'n' && notes.some((note) => thereAllTheSame.has(note))))
    checkStays(bench, { slug, notes }, finding);
  if (support.level === 'a' && !notes.some((note) => expectationOf(note) || sharedMeaning(note)))
    checkStays(bench, { slug, notes }, finding);
  return finding;
}

function checkGone(bench: Bench, { slug, account }: { slug: string; account?: Account }, finding: Finding): void {
  for (const probe of probesOf(slug)) {
    // `@media` and the like hold rules: the text of the probe must be gone in any case.
    if (isThere(bench, probe, account)) finding.wrong.push(`${probe.needle} is still there`);
    const left = htmlProbes[slug]?.left;
    if (left && !pageOf(bench, probe.html, account).text.includes(left))
      finding.wrong.push(`the text inside ${probe.needle} is gone`);
  }
}

function checkStays(bench: Bench, { slug, notes }: { slug: string; notes: string[] }, finding: Finding): void {
  const taken = notes
    .flatMap((note) => [...(expectationOf(note)?.goes ?? []), ...(expectationOf(note)?.becomes ?? [])])
    .map((probe) => probe.needle);
  let seen = 0;
  for (const probe of probesOf(slug)) {
    if (
      taken.includes(probe.needle) ||
      taken.some((needle) => needle.replace('inline:', 'css:.one{') === probe.needle.replace(/\}$/, ''))
    )
      continue;
    if (isThere(bench, probe)) seen++;
    else missing(bench, { slug, probe }, finding);
  }
  // A declaration that is seen in a style attribute is supported, whatever becomes of style sheets.
  if (seen > 0 && declarationProbes[slug]) delete finding.hiddenBy;
}

/** Something is gone that should be there: wrong, unless the message uses something else that the client lacks. */
function missing(bench: Bench, { slug, probe }: { slug: string; probe: ProbeCase }, finding: Finding): void {
  const need = needsOf(slug, probe).find((other) => other !== slug && isLimited(bench.target, other));
  if (need) finding.hiddenBy = need;
  else finding.wrong.push(`${probe.needle} is gone`);
}

function isLimited(target: Target, slug: string): boolean {
  const { level, notes } = freshSupport(featureOf(slug)!, target).support;
  if (level === 'n') return true;
  // Sheets in the head and simple selectors are never what such a note takes away.
  if (slug === 'html-style' || slug.startsWith('css-selector-')) return false;
  return level === 'a' || (level === 'y' && notes.length > 0);
}

const needsBySlug: Record<string, string[]> = {
  'css-conic-gradient': ['css-background-image'],
  'css-linear-gradient': ['css-background-image'],
  'css-radial-gradient': ['css-background-image'],
  'css-display-flex': ['css-display'],
  'css-display-grid': ['css-display'],
  'css-display-none': ['css-display'],
  'css-intrinsic-size': ['css-width'],
  'html-required': ['html-textarea'],
  'css-display': ['css-display-flex', 'css-display-grid'],
  'html-image-maps': ['html-img'],
  'html-loading-attribute': ['html-img'],
};

/** Other features that a probe can't do without, read off its text. */
function needsOf(slug: string, probe: ProbeCase): string[] {
  const needs = [...(needsBySlug[slug] ?? [])];
  if (probe.html.includes('!important')) needs.push('css-important');
  if (!probe.html.includes('<style>')) return needs;
  needs.push('html-style');
  const sheet = /<style>(.*)<\/style>/s.exec(probe.html)?.[1] ?? '';
  if (/\.\w/.test(sheet.split('{')[0] ?? '')) needs.push('css-selector-class');
  if (/@media/.test(sheet)) needs.push('css-at-media');
  if (/(?:^|[{},>+~ ])(?:a|b|p|h1|h2|li|td|div|input)(?=[{:+>~ ,[.#])/.test(sheet)) needs.push('css-selector-type');
  if (/[^@]*,[^{]*\{/.test(sheet.replace(/\{[^}]*\}/g, '{}'))) needs.push('css-selector-grouping');
  if (/\w \w|\w \./.test((sheet.split('{')[0] ?? '').replace(/@\S+ .*/, ''))) needs.push('css-selector-descendant');
  if (sheet.includes('[')) needs.push('css-selector-attribute');
  return needs;
}

// ---- Notes ----------------------------------------------------------------------------------------------------

/** What the words of a note ask for, where the same words stand at many features. */
const sharedWords: [RegExp, { account: Account; not?: true; lacks?: string[] }][] = [
  [
    /`flex`, `grid`, `flow-root`.* not supported with non Google accounts/,
    { account: 'google', lacks: ['display:flex', 'display:contents', 'display:initial'] },
  ],
  [
    /Flow-relative values `start` and `end` are not supported with non Gmail account/,
    { account: 'google', lacks: ['text-align:start', 'text-align:end'] },
  ],
  [/(?:[Nn]ot supported|Doesn[’']t work|Does not render) with non Google accounts/, { account: 'google' }],
  [
    /[Oo]nly (?:supported|works) with non Google accounts|Supported with non Google accounts only/,
    { account: 'google', not: true },
  ],
  [/[Nn]ot supported (?:with|when using a) (?:Hotmail|Microsoft|Outlook)/, { account: 'microsoft', not: true }],
  [/as if there was no doctype with an Outlook email/, { account: 'microsoft', not: true }],
  [/Not supported with non Outlook accounts/, { account: 'microsoft' }],
];

/** Literal messages, or words that stand at many features, say what the note means. */
export function isExpected(note: string): boolean {
  return expectationOf(note) !== undefined || sharedMeaning(note) !== undefined;
}

function expectationOf(note: string): NoteExpectation | undefined {
  const known = valueNoteProbes[note] ?? sheetNoteProbes[note];
  if (known) return known;
  const probe = sheetProbes[note.split('#', 1)[0]!];
  if (!probe || !/Only supported on type selectors/.test(wordsOf(note))) return undefined;
  const other = probe.css.replace(/^\w+/, '.one');
  return { goes: [css(other, other)], stays: [css(probe.css, probe.needle)] };
}

function wordsOf(note: string): string {
  const [slug, number] = note.split('#');
  return (featureOf(slug!)?.notes.get(Number(number)) ?? '').replace(/\s+/g, ' ');
}

function sharedMeaning(note: string) {
  return sharedWords.find(([pattern]) => pattern.test(wordsOf(note)))?.[1];
}

function checkNote(bench: Bench, at: { slug: string; number: number; support: Support }, finding: Finding): void {
  const note = `${at.slug}#${at.number}`;
  const words = wordsOf(note);
  const shared = sharedMeaning(note);
  if (shared && at.support.level === 'a') checkAccount(bench, { ...at, ...shared }, finding);
  const expected = expectationOf(note);
  // A note about what remains says nothing where the whole feature is missing, unless it is read instead of that.
  if (!expected || (at.support.level === 'n' && words.startsWith('Partial') && !note.startsWith('css-variables')))
    return;
  for (const probe of expected.goes ?? [])
    if (isThere(bench, probe)) finding.wrong.push(`${note}: ${probe.needle} is still there`);
  for (const probe of expected.stays ?? []) if (!isThere(bench, probe)) missingNote(bench, { ...at, probe }, finding);
  for (const probe of expected.becomes ?? []) {
    if (isThere(bench, probe)) finding.wrong.push(`${note}: ${probe.needle} is unchanged`);
    if (!isThere(bench, { ...probe, needle: probe.after }))
      missingNote(bench, { ...at, probe: { ...probe, needle: probe.after } }, finding);
  }
}

/** What one note lets stay, another note of the same cell may take. */
function missingNote(
  bench: Bench,
  at: { slug: string; number: number; support: Support; probe: ProbeCase },
  finding: Finding,
): void {
  const others = at.support.notes
    .filter((number) => number !== at.number)
    .flatMap((number) => {
      const other = expectationOf(`${at.slug}#${number}`);
      return [...(other?.goes ?? []), ...(other?.becomes ?? [])];
    });
  const isTaken = others.some((other) => other.needle === at.probe.needle);
  if (!isTaken) missing(bench, at, finding);
}

function checkAccount(
  bench: Bench,
  at: { slug: string; number: number; support: Support; account: Account; not?: true; lacks?: string[] },
  finding: Finding,
): void {
  const other: Account = at.account === 'google' ? 'other' : at.account === 'microsoft' && at.not ? 'google' : 'other';
  const [without, withIt] = at.not ? [at.account, other] : [other, at.account];
  if (at.lacks) {
    for (const text of at.lacks)
      if (isThere(bench, inline(text), without)) finding.wrong.push(`${text} is still there for ${without}`);
  } else checkGone(bench, { slug: at.slug, account: without }, finding);
  const probe = probesOf(at.slug)[0];
  if (probe && !isThere(bench, probe, withIt)) missingNote(bench, { ...at, probe }, finding);
}
