// Walks MJML before it is compiled: what MJML itself would pass over in silence is said here, with its line.
import { isBlockTag, type Variables } from './variables.ts';

export interface MjmlProblem {
  /** From 1; null when the whole text is meant. */
  line: number | null;
  problem: string;
}

interface ReadMjml {
  /** What the compiler is given. */
  text: string;
  /** Without these it can be compiled. */
  faults: MjmlProblem[];
  warnings: MjmlProblem[];
}

const INCLUDE_REFUSED = 'mj-include is refused, because no file is read here: put its content in its place.';
const DEPTH_MAX = 60;
const PROBLEMS_MAX = 20;

/** Their content is HTML or text; MJML in it is none. */
const WITH_CONTENT = new Set([
  'mj-accordion-text',
  'mj-accordion-title',
  'mj-breakpoint',
  'mj-button',
  'mj-html-attribute',
  'mj-navbar-link',
  'mj-preview',
  'mj-raw',
  'mj-social-element',
  'mj-style',
  'mj-table',
  'mj-text',
  'mj-title',
]);
/** Of those, the ones without HTML. */
const WITH_TEXT = new Set(['mj-breakpoint', 'mj-html-attribute', 'mj-preview', 'mj-style', 'mj-title']);
/** They may hold mj-raw, and so parts of a template that stand between elements. */
const WITH_RAW = new Set([
  'mj-accordion',
  'mj-accordion-element',
  'mj-body',
  'mj-column',
  'mj-group',
  'mj-head',
  'mj-hero',
  'mj-navbar',
  'mj-section',
  'mj-social',
  'mj-wrapper',
]);

/** A comment, CDATA, or a tag. What is unclosed of them is text. */
const MARKUP =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<(?<end>\/?)(?<name>[a-zA-Z][\w:-]*)(?:"[^"]*"|'[^']*'|[^'"<>])*>/g;

interface Open {
  name: string;
  line: number;
}

interface Walk extends ReadMjml {
  open: Open[];
  line: number;
  variables: Variables;
}

const quoted = (text: string): string => {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return `"${line.length > 60 ? `${line.slice(0, 60)}…` : line}"`;
};

function blame(problems: MjmlProblem[], line: number, problem: string): void {
  if (problems.length < PROBLEMS_MAX) problems.push({ line, problem });
}

/** Reads the structure: what opens and closes, what stands where. Linear. */
export function readMjml(variables: Variables): ReadMjml {
  const walk: Walk = { text: '', faults: [], warnings: [], open: [], line: 1, variables };
  const { text } = variables;
  let place = 0;
  let isRooted = false;
  for (const match of text.matchAll(MARKUP)) {
    takeText(walk, text.slice(place, match.index));
    const name = match.groups?.['name'];
    if (name !== undefined && /^mj(?:ml$|-)/.test(name)) {
      isRooted ||= name === 'mjml';
      takeElement(walk, match[0], { name, isEnd: match.groups?.['end'] === '/' });
    }
    walk.text += match[0];
    walk.line += match[0].split('\n').length - 1;
    place = match.index + match[0].length;
    if (walk.faults.length >= PROBLEMS_MAX || walk.open.length > DEPTH_MAX) break;
  }
  if (walk.open.length > DEPTH_MAX) {
    blame(walk.faults, walk.line, `Elements are nested more than ${DEPTH_MAX} deep.`);
    return walk;
  }
  takeText(walk, text.slice(place));
  const left = walk.open.at(-1);
  if (left && walk.faults.length === 0) blame(walk.faults, left.line, `<${left.name}> is not closed.`);
  if (!isRooted) blame(walk.faults, 1, 'MJML begins with <mjml>, and there is none.');
  return walk;
}

function takeElement(walk: Walk, tag: string, { name, isEnd }: { name: string; isEnd: boolean }): void {
  const inner = walk.open.at(-1);
  if (name === 'mj-include') return blame(walk.faults, walk.line, INCLUDE_REFUSED);
  if (inner && WITH_CONTENT.has(inner.name) && name !== inner.name) return;
  if (!isEnd) {
    if (!tag.endsWith('/>')) walk.open.push({ name, line: walk.line });
    return;
  }
  if (inner?.name === name) walk.open.pop();
  else if (inner) {
    blame(walk.faults, walk.line, `</${name}> closes nothing: <${inner.name}> of line ${inner.line} is open.`);
    // What is closed nevertheless is closed, so that one slip is told once.
    const index = walk.open.findLastIndex((one) => one.name === name);
    if (index >= 0) walk.open.length = index;
  } else blame(walk.faults, walk.line, `</${name}> closes nothing.`);
}

function takeText(walk: Walk, text: string): void {
  const inner = walk.open.at(-1);
  if (inner && WITH_CONTENT.has(inner.name)) {
    walk.text += WITH_TEXT.has(inner.name) ? text : asComments(walk.variables, text);
    walk.line += text.split('\n').length - 1;
    return;
  }
  let place = 0;
  for (const match of text.matchAll(walk.variables.pattern)) {
    takeWords(walk, text.slice(place, match.index), inner);
    takeVariable(walk, match[0], { tag: walk.variables.tags[Number(match[1])] ?? '', inner });
    place = match.index + match[0].length;
  }
  takeWords(walk, text.slice(place), inner);
}

/** Blocks may stand where HTML has no place for text, as between the rows of a table; comments have one everywhere. */
function asComments({ pattern, tags }: Variables, text: string): string {
  return text.replaceAll(pattern, (word, index: string) =>
    isBlockTag(tags[Number(index)] ?? '') ? `<!--${word}-->` : word,
  );
}

/** Text between elements. */
function takeWords(walk: Walk, words: string, inner: Open | undefined): void {
  const indent = words.length - words.trimStart().length;
  // Of an element that MJML does not know it says so itself.
  if (indent < words.length && (!inner || WITH_RAW.has(inner.name) || inner.name === 'mjml')) {
    const line = walk.line + words.slice(0, indent).split('\n').length - 1;
    const where = inner ? `in <${inner.name}>` : 'around <mjml>';
    blame(walk.warnings, line, `The text ${quoted(words)} ${where} is left out: put it into mj-text.`);
  }
  walk.text += words;
  walk.line += words.split('\n').length - 1;
}

/** A tag of the template between elements. */
function takeVariable(walk: Walk, word: string, { tag, inner }: { tag: string; inner: Open | undefined }): void {
  if (tag.startsWith('{{!')) return;
  if (inner && WITH_RAW.has(inner.name)) walk.text += `<mj-raw><!--${word}--></mj-raw>`;
  else {
    const where = inner ? `in <${inner.name}>` : 'around <mjml>';
    blame(walk.faults, walk.line, `${quoted(tag)} cannot stand ${where}: MJML has no place for text there.`);
  }
}
