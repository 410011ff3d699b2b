// Merge tags that nobody replaced, and values that came out wrong.

import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { Finding, Place } from '../findings/index.ts';
import { findHalfTags, findMergeTags, TAGS_MAX } from '../merge-tags/index.ts';
import { attributeOf, plural, quoted, type MessageUnderCheck } from '../source/index.ts';

interface Source {
  text: string;
  /** Place of the text in the HTML; undefined for the subject and the text part. */
  offset: number | undefined;
  where: string;
  element?: Tree.Element;
}

/** Elements whose text is code that somebody wants to show, or no text at all. */
const code = new Set(['style', 'script', 'code', 'pre', 'samp', 'kbd', 'textarea', 'template']);

function sourcesOf({ message, html, subject, text }: MessageUnderCheck): Source[] {
  const sources: Source[] = [];
  if (subject !== undefined) sources.push({ text: subject, offset: undefined, where: 'the subject' });
  for (const one of message.texts) {
    if (isInCode(one.parent)) continue;
    const where = 'tagName' in one.parent && one.parent.tagName === 'title' ? 'the title' : 'the text';
    sources.push({
      text: html.slice(one.start, one.end),
      offset: one.start,
      where,
      ...('tagName' in one.parent && !one.readers && { element: one.parent }),
    });
  }
  for (const { node, base, readers } of message.elements) {
    const place = node.sourceCodeLocation!;
    const tag = place.startTag ?? place;
    const start = base + tag.startOffset;
    const source = html.slice(start, base + tag.endOffset);
    if (source.length > node.tagName.length + 2)
      sources.push({ text: source, offset: start, where: `<${node.tagName}>`, ...(!readers && { element: node }) });
  }
  if (text) sources.push({ text, offset: undefined, where: 'the text part' });
  return sources;
}

function isInCode(node: Tree.Node): boolean {
  for (let at: Tree.Node | null = node; at && 'tagName' in at; at = at.parentNode)
    if (code.has(at.tagName)) return true;
  return false;
}

interface Seen {
  tag: string;
  syntax: string;
  places: Place[];
  wheres: Set<string>;
  count: number;
}

const PLACES_MAX = 20;

/** One finding for all tags that were not replaced, and one for each half of one. */
export function checkMergeTags(mail: MessageUnderCheck): Finding[] {
  const tags = new Map<string, Seen>();
  const broken = new Map<string, Seen>();
  for (const source of sourcesOf(mail)) {
    const whole = findMergeTags(source.text);
    for (const { tag, syntax, start, end } of whole) note(tags, { tag, syntax }, { mail, source, start, end });
    for (const { what, start } of findHalfTags(source.text, whole))
      note(broken, { tag: what, syntax: '' }, { mail, source, start, end: start + 40 });
  }
  return [
    ...unfilled([...tags.values()]),
    ...[...broken.values()].map((seen): Finding => ({
      ...common(seen),
      rule: 'hygiene/merge-tag-half',
      severity: 'warning',
      message: `Half a merge tag${inPlaces(seen)}: ${seen.tag}.`,
      fix: 'Write both sides of the tag.',
    })),
  ];
}

const TAGS_NAMED = 3;
const TAGS_LISTED = 50;

/** All of them have one cause, so they are one finding. */
function unfilled(tags: readonly Seen[]): Finding[] {
  const [first] = tags;
  if (!first) return [];
  const fix = 'Check the email with data, or with a fallback in each tag: the data is filled in before sending.';
  const count = tags.reduce((sum, seen) => sum + seen.count, 0);
  const where = tags.find(({ places }) => places.length > 0)?.places[0];
  const listed = tags.slice(0, TAGS_LISTED).map(({ tag, syntax, wheres, places, count: times }) => ({
    tag,
    syntax,
    count: times,
    in: [...wheres],
    lines: places.map(({ line }) => line),
  }));
  const found = { rule: 'hygiene/merge-tag', severity: 'error', ...(where && { where }), fix } as const;
  if (tags.length === 1) {
    return [
      {
        ...found,
        message: `${quoted(first.tag)} was not replaced${inPlaces(first)}; it looks like a merge tag of ${first.syntax}.`,
        details: { ...common(first).details, tags: listed },
      },
    ];
  }
  const named = tags.slice(0, TAGS_NAMED).map(({ tag }) => quoted(tag));
  const more = tags.length > TAGS_NAMED ? ` and ${tags.length - TAGS_NAMED} more` : '';
  return [
    {
      ...found,
      message: `${tags.length} merge tags were not replaced, in ${plural(count, 'place')}: ${named.join(', ')}${more}.`,
      details: { count, tags: listed },
    },
  ];
}

function note(
  into: Map<string, Seen>,
  { tag, syntax }: { tag: string; syntax: string },
  { mail, source, start, end }: { mail: MessageUnderCheck; source: Source; start: number; end: number },
): void {
  let seen = into.get(tag);
  if (!seen && into.size >= TAGS_MAX) return;
  if (!seen) into.set(tag, (seen = { tag, syntax, places: [], wheres: new Set(), count: 0 }));
  seen.count++;
  seen.wheres.add(source.where);
  if (source.offset !== undefined && seen.places.length < PLACES_MAX)
    seen.places.push(mail.placeAt(source.offset + start, source.offset + end, source.element));
}

function common({ places, count, tag, wheres }: Seen): Pick<Finding, 'where' | 'details'> {
  const details = { tag, count, in: [...wheres], lines: places.map(({ line }) => line) };
  return places[0] ? { where: places[0], details } : { details };
}

function inPlaces({ wheres, count }: Seen): string {
  return ` in ${[...wheres].slice(0, 3).join(', ')}${count > 1 ? ` (${plural(count, 'place')})` : ''}`;
}

// ---- Values that came out wrong -----------------------------------------------------------------------------------

const GREETING = String.raw`(?:hi|hello|hey|dear|hallo|liebe[rs]?|bonjour|ch(?:er|ère)|hola|ciao|hei|hej|olá)`;
const emptyName = new RegExp(`^${GREETING}\\s*[,!]|(?:^|[.!?]\\s)${GREETING}\\s+[,!]`, 'iu');
const wrongName = new RegExp(`\\b${GREETING}\\s+(?:undefined|null|none|nan|\\[object object\\])\\b`, 'iu');

/** What a merge leaves behind when the data was missing: `Dear ,`, `Hi undefined`, a link to `null`. */
export function checkMergedValues(mail: MessageUnderCheck): Finding[] {
  const findings: Finding[] = [];
  for (const { text, start, end, element } of mail.runs) {
    if (isInCode(element)) continue;
    const line = text
      .slice(0, 2000)
      .replace(/[\s\u00a0]+/g, ' ')
      .trim();
    const wrong = wrongName.exec(line)?.[0] ?? /\[object Object\]/.exec(line)?.[0];
    if (wrong)
      findings.push(
        valueFinding(
          `The text says ${quoted(wrong)}: a value was missing when the message was put together.`,
          mail.placeAt(start, end, element),
        ),
      );
    else if (/\s[,!]/.test(line) && emptyName.test(line))
      findings.push(
        valueFinding(`${quoted(line, 30)} greets nobody: the name is missing.`, mail.placeAt(start, end, element)),
      );
  }
  for (const element of mail.message.elements) {
    for (const name of ['href', 'src']) {
      const value = attributeOf(element.node, name)?.trim();
      if (value && /^(?:undefined|null|none|nan|\[object object\])$/i.test(value))
        findings.push(
          valueFinding(
            `${name} is ${quoted(value)}: a value was missing when the message was put together.`,
            mail.placeOf(element),
          ),
        );
    }
  }
  return findings;
}

function valueFinding(message: string, where: Place): Finding {
  return {
    rule: 'hygiene/merged-value',
    severity: 'error',
    message,
    where,
    fix: 'Give the tag a fallback for when its value is missing.',
  };
}
