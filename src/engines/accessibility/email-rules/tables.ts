// Tables that place things must not be read out as data; tables of data must say what their cells mean.

import { attr, isPresentational, isRead, quoted, textOf, wordAttr } from '../elements.ts';
import type { Mail, MailElement } from '../read-mail.ts';
import { cellsOf, rowsOf, tableKind } from '../table-kind.ts';
import type { EmailRule, Spot } from '../types.ts';
import { failing, NOTHING } from './verdict.ts';

/** Tables that screen readers reach, including tables that only Word reads. */
function tablesOf(mail: Mail): MailElement[] {
  return mail.elements.filter(
    (element) => element.tag === 'table' && !element.isRepeated && (element.isCommented || isRead(mail, element)),
  );
}

export const layoutTableRole: EmailRule = {
  id: 'layout-table-role',
  criteria: ['1.3.1'],
  impact: 'serious',
  description:
    'Tables that only place things have role="presentation" (or none), so that no rows and columns are read out.',
  fix: 'Add role="presentation" to the table.',
  check(mail) {
    const tables = tablesOf(mail).filter((table) => tableKind(mail, table) === 'layout');
    const spots = tables
      .filter((table) => !isPresentational(table))
      .map((at): Spot => {
        const rows = rowsOf(at).length;
        const size = at.isCommented ? 'for Outlook' : `of ${rows} ${rows === 1 ? 'row' : 'rows'}`;
        return {
          at,
          message: `This layout table ${size} has no role="presentation"; screen readers announce it as a table.`,
        };
      });
    return failing(spots, tables.length > 0);
  },
};

export const layoutTableMarkup: EmailRule = {
  id: 'layout-table-markup',
  criteria: ['1.3.1'],
  impact: 'moderate',
  description: 'Layout tables have none of the mark-up of data: th, caption, summary, scope, headers.',
  fix: 'Use td instead of th, and leave out caption, summary, scope and headers.',
  check(mail) {
    const tables = tablesOf(mail).filter((table) => tableKind(mail, table) === 'layout');
    const failures: Spot[] = [];
    const review: Spot[] = [];
    for (const at of tables) {
      const found = dataMarkupIn(at);
      if (found.length === 0) continue;
      const spot = {
        at,
        message: `This layout table has ${found.join(', ')}, which belongs to tables of data.`,
        details: { found },
      };
      // The role takes the meaning of th away as well; the rest is read out all the same.
      (isPresentational(at) && found.join() === 'th' ? review : failures).push(spot);
    }
    return { applies: tables.length > 0, failures, review };
  },
};

/** What a layout table has of a data table's mark-up. */
function dataMarkupIn(table: MailElement): string[] {
  const cells = rowsOf(table).flatMap(cellsOf);
  return [
    ...(table.children.some(({ tag }) => tag === 'caption') ? ['caption'] : []),
    ...((attr(table, 'summary') ?? '').trim() !== '' ? ['summary'] : []),
    ...(cells.some(({ tag }) => tag === 'th') ? ['th'] : []),
    ...(cells.some((cell) => attr(cell, 'scope') !== undefined) ? ['scope'] : []),
    ...(cells.some((cell) => attr(cell, 'headers') !== undefined) ? ['headers'] : []),
  ];
}

export const dataTableHeaders: EmailRule = {
  id: 'data-table-headers',
  criteria: ['1.3.1'],
  impact: 'serious',
  description: 'Tables of data have header cells.',
  fix:
    'Make the cells that name a column or row th with scope; a table that only places ' +
    'things gets role="presentation".',
  check(mail) {
    const tables = tablesOf(mail)
      .map((at) => ({ at, kind: tableKind(mail, at) }))
      .filter(({ kind }) => kind !== 'layout');
    const bare = tables.filter(
      ({ at }) =>
        !rowsOf(at)
          .flatMap(cellsOf)
          .some((cell) => cell.tag === 'th' || /^(?:column|row)header$/.test(wordAttr(cell, 'role'))),
    );
    const spots = (kind: string, message: string): Spot[] =>
      bare
        .filter((table) => table.kind === kind)
        .map(({ at }) => ({ at, message: `${message} It begins with ${quoted(textOf(at), 40)}.` }));
    return {
      applies: tables.length > 0,
      failures: spots('data', 'This table of data has no th.'),
      review: spots('looks-like-data', 'This table looks like data, but has neither th nor role="presentation".'),
    };
  },
};

export const thScope: EmailRule = {
  id: 'th-scope',
  criteria: ['1.3.1'],
  isBestPractice: true,
  impact: 'moderate',
  description: 'Header cells say whether they name a column or a row.',
  fix: 'Add scope="col" or scope="row" to the th.',
  check(mail) {
    const headers = tablesOf(mail)
      .filter((table) => tableKind(mail, table) === 'data')
      .flatMap((table) => rowsOf(table).flatMap(cellsOf))
      .filter(({ tag }) => tag === 'th');
    if (headers.length === 0) return NOTHING;
    const isScoped = (cell: MailElement) => /^(?:col|row|colgroup|rowgroup)$/.test(wordAttr(cell, 'scope'));
    return failing(
      headers
        .filter((cell) => !isScoped(cell))
        .map((at) => ({ at, message: `The header cell ${quoted(textOf(at), 40)} has no scope.` })),
    );
  },
};
