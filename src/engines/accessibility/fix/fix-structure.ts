// Repairs of structure: table roles, header cells, headings, and attributes that get in the way.

import { attr, around, below, isPresentational, nameOf, quoted, textOf } from '../elements.ts';
import { isTitleRedundant, positiveTabindex, titleAttribute } from '../email-rules/document.ts';
import { emptyHeading, fakeHeadings, headingMissing } from '../email-rules/headings.ts';
import { linkTextGeneric } from '../email-rules/links.ts';
import { layoutTableMarkup, layoutTableRole, thScope } from '../email-rules/tables.ts';
import { preheaderHidden } from '../email-rules/text.ts';
import type { MailElement } from '../read-mail.ts';
import { cellsOf, rowsOf, tableKind } from '../table-kind.ts';
import type { TextBlock } from '../text-blocks.ts';
import type { Fixing } from './fixing.ts';
import { nearbyText } from './guess-alt.ts';

export function fixTables(fixing: Fixing): void {
  const { mail } = fixing;
  for (const { at } of layoutTableRole.check(mail, {}).failures) {
    fixing.set(
      at,
      { role: 'presentation' },
      { rule: layoutTableRole.id, note: 'Screen readers pass over the table and read what is in it.' },
    );
  }
  for (const { at } of layoutTableMarkup.check(mail, {}).failures) fixLayoutMarkup(fixing, at);
  for (const { at } of thScope.check(mail, {}).failures) {
    fixing.set(at, { scope: scopeOf(at) }, { rule: thScope.id, note: 'By its place in the table.' });
  }
}

function fixLayoutMarkup(fixing: Fixing, table: MailElement): void {
  const reason = { rule: layoutTableMarkup.id, note: 'It belongs to tables of data, and this one only places things.' };
  if ((attr(table, 'summary') ?? '').trim() !== '') fixing.set(table, { summary: null }, reason);
  for (const cell of rowsOf(table).flatMap(cellsOf)) {
    for (const name of ['scope', 'headers'])
      if (attr(cell, name) !== undefined) fixing.set(cell, { [name]: null }, reason);
  }
  if (table.children.some(({ tag }) => tag === 'caption'))
    fixing.leave(layoutTableMarkup.id, table, 'The caption is seen; removing it would change the looks.');
}

/** The first row and the head name columns, the first cell of other rows names its row. */
function scopeOf(cell: MailElement): 'col' | 'row' {
  const row = cell.parent;
  const table = around(cell, ({ tag }) => tag === 'table');
  const isHead = row?.parent?.tag === 'thead' || (table && rowsOf(table)[0] === row);
  return !isHead && row && cellsOf(row)[0] === cell ? 'row' : 'col';
}

const HEADINGS_MAX = 12;

/** Gives what looks like a heading the role of one, where a long message has none at all. */
export function fixHeadings(fixing: Fixing): void {
  const { mail } = fixing;
  for (const { at } of emptyHeading.check(mail, {}).failures) {
    if ([...below(at)].some(isFocusable)) fixing.leave(emptyHeading.id, at, 'It holds something that can be used.');
    else
      fixing.set(
        at,
        { 'aria-hidden': 'true' },
        { rule: emptyHeading.id, note: 'The empty heading is kept for its space, and no longer read out.' },
      );
  }
  if (headingMissing.check(mail, {}).failures.length === 0) return;
  const candidates = fakeHeadings(mail)
    .filter((block) => canBeHeading(fixing, block))
    .slice(0, HEADINGS_MAX);
  if (candidates.length === 0) {
    fixing.leave(headingMissing.id, mail.body, 'Nothing in the message looks like a heading.');
    return;
  }
  const size = ({ main }: TextBlock) => mail.styleOf(main).fontSizePx;
  const largest = candidates.reduce((best, block) => (size(block) > size(best) ? block : best));
  for (const block of candidates) {
    const level = block === largest ? '1' : '2';
    const reason = {
      rule: headingMissing.id,
      note: `Check this: ${quoted(block.text)} looks like a heading.`,
      check: true,
    };
    fixing.set(block.element, { role: 'heading', 'aria-level': level }, reason);
  }
}

/** The element holds the heading's text and nothing else, and has no role that would be lost. */
function canBeHeading({ mail }: Fixing, { element, text }: TextBlock): boolean {
  if (attr(element, 'role') !== undefined || element.start === undefined || textOf(element) !== text) return false;
  if ([...below(element)].some(({ tag }) => tag === 'a' || tag === 'img' || tag === 'table')) return false;
  if (element.tag === 'td') {
    const table = around(element, ({ tag }) => tag === 'table');
    return table !== undefined && (isPresentational(table) || tableKind(mail, table) === 'layout');
  }
  return element.tag === 'p' || element.tag === 'div' || element.tag === 'center' || element.tag === 'span';
}

/** Takes focus by itself. */
function isControl({ tag, node }: MailElement): boolean {
  return ['button', 'input', 'select', 'textarea'].includes(tag) || node.attrs.some(({ name }) => name === 'href');
}

function isFocusable(element: MailElement): boolean {
  return isControl(element) || attr(element, 'tabindex') !== undefined;
}

/** Attributes that get in the way of assistive technology, or that are missing for it. */
export function fixAttributes(fixing: Fixing): void {
  const { mail } = fixing;
  for (const { at } of positiveTabindex.check(mail, {}).failures) {
    fixing.set(
      at,
      { tabindex: isControl(at) ? null : '0' },
      { rule: positiveTabindex.id, note: 'Focus follows the order of the message.' },
    );
  }
  for (const { at } of titleAttribute.check(mail, {}).failures) {
    const isTaken = at.tag === 'img' && attr(at, 'alt') === undefined;
    if (isTaken || isTitleRedundant(at))
      fixing.set(
        at,
        { title: null },
        {
          rule: titleAttribute.id,
          note: isTaken ? 'The title has become the alternative text.' : 'It repeats what is read out anyway.',
        },
      );
    else
      fixing.leave(
        titleAttribute.id,
        at,
        'The title says something that the text does not say: decide whether it belongs in the text.',
      );
  }
  for (const { at } of preheaderHidden.check(mail, {}).failures) {
    if (isFocusable(at) || [...below(at)].some(isFocusable))
      fixing.leave(preheaderHidden.id, at, 'It holds something that can be used.');
    else
      fixing.set(
        at,
        { 'aria-hidden': 'true' },
        { rule: preheaderHidden.id, note: 'The inbox has shown it; it is no longer read out again.' },
      );
  }
}

const LABEL_LENGTH_MAX = 100;

/** “Read more” becomes “Read more: Winter sale” for screen readers. */
export function fixLinkTexts(fixing: Fixing): void {
  const { mail } = fixing;
  for (const { at } of linkTextGeneric.check(mail, {}).failures) {
    const nearby = nearbyText(mail, at);
    const name = nameOf(at);
    if (nearby && textOf(at) !== '' && nearby.toLowerCase() !== name.toLowerCase()) {
      fixing.set(
        at,
        { 'aria-label': `${name}: ${nearby}`.slice(0, LABEL_LENGTH_MAX) },
        { rule: linkTextGeneric.id, note: 'Check this text: it was taken from the text nearby.', check: true },
      );
    } else fixing.leave(linkTextGeneric.id, at, 'No heading nearby says what the link is about.');
  }
}
