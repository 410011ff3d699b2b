// What a walk found: as the table of the documents, and as text for a person.
import type { ListVerdict, State, Verdict } from './walk.ts';

const STATES: readonly State[] = ['right', 'wrong', 'not yet'];

const HEAD = [
  '# Conformance',
  'Written by `npm run conformance -- --write`; not edited by hand. A test compares it with what the service does.',
  'Two published interfaces are lists here (`test/conformance/operations`): each operation with its parameters, the ' +
    'fields of its reply, their types, and whether they are required. Every operation that stands is called once ' +
    'well and once wrong on a running service.',
  [
    '- **right**: the reply to the good call has the status, every required field and the right types; the wrong ' +
      'call is refused with the expected status and the fields of its error. The reply may have more fields.',
    '- **wrong**: something of that differs; what differs is named. An operation that answers and is not called is ' +
      'wrong, too.',
    '- **not yet**: the router of the service answers that it knows no such endpoint (404), or not with this method ' +
      '(405); or the operation answers, but the one that tells what a good call names is not there yet.',
  ].join('\n'),
  'A parameter of the list that the OpenAPI document of the service does not name is listed as not taken.\n',
].join('\n\n');

const countOf = (verdicts: readonly Verdict[], state: State): number =>
  verdicts.filter((verdict) => verdict.state === state).length;

/** Whether an operation that stands is wrong. */
export const isWrong = (lists: readonly ListVerdict[]): boolean =>
  lists.some(({ verdicts }) => countOf(verdicts, 'wrong') > 0);

const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

function totalsTable(lists: readonly ListVerdict[]): string[] {
  return [
    row('List', 'Operations', ...STATES),
    '|---|---|---|---|---|',
    ...lists.map(({ title, verdicts }) =>
      row(title, verdicts.length, ...STATES.map((state) => countOf(verdicts, state))),
    ),
  ];
}

function operationRow({ operation, state, faults, waitsFor, leftOut, notTaken }: Verdict): string {
  const waits = waitsFor.length ? `: it answers, and waits for \`${waitsFor.join('`, `')}\`` : '';
  const detail = faults.length ? `**wrong**: ${faults.join('; ').replaceAll('|', '\\|')}` : `${state}${waits}`;
  const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
  const unknown = leftOut.length ? `; leaves out ${quoted(leftOut)} where not known, on purpose` : '';
  const left = notTaken.length ? `; does not take ${quoted(notTaken)}` : '';
  const deprecated = operation.deprecated ? ' (deprecated)' : '';
  return row(operation.method, `\`${operation.path}\``, `${detail}${unknown}${left}${deprecated}`);
}

function listTable({ title, verdicts }: ListVerdict): string[] {
  const groups = Map.groupBy(verdicts, ({ operation }) => operation.group);
  const tables = [...groups].flatMap(([group, ofGroup]) => [
    '',
    `### ${group}`,
    '',
    row('Method', 'Path', 'State'),
    '|---|---|---|',
    ...ofGroup.map(operationRow),
  ]);
  return ['', `## ${title}`, ...tables];
}

/** `docs/conformance.md` */
export function documentOf(lists: readonly ListVerdict[]): string {
  return `${[HEAD, ...totalsTable(lists), ...lists.flatMap(listTable)].join('\n')}\n`;
}

/** The same for a terminal: what stands with what is wrong, what it has beside the list, and what it does not take. */
export function textOf(lists: readonly ListVerdict[]): string {
  const lines = lists.flatMap(({ title, verdicts }) => [
    '',
    title,
    ...verdicts.flatMap(({ operation, state, faults, waitsFor, extra, notTaken }) => [
      `  ${state.padEnd(8)} ${operation.method.padEnd(6)} ${operation.path}`,
      ...faults.map((fault) => `             ${fault}`),
      ...(waitsFor.length ? [`             it answers, and waits for ${waitsFor.join(', ')}`] : []),
      ...(extra.length ? [`             beside the list: ${extra.join(', ')}`] : []),
      ...(notTaken.length ? [`             parameters that it does not take: ${notTaken.join(', ')}`] : []),
    ]),
  ]);
  const totals = lists.map(
    ({ title, verdicts }) =>
      `${title}: ${verdicts.length} operations, ` +
      STATES.map((state) => `${countOf(verdicts, state)} ${state}`).join(', '),
  );
  return [...lines, '', ...totals].join('\n').trimStart();
}
