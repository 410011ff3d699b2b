import { CSV_MARK, csvLine, type CsvSeparator } from '../../../platform/spreadsheets/index.ts';
import type { AuditEntry } from './store.ts';

/** An entry on the wire. */
export function entryView(entry: AuditEntry) {
  return {
    id: entry.id,
    account_id: entry.accountId,
    at: entry.at.toISOString(),
    kind: entry.kind,
    operation: entry.operation,
    method: entry.method,
    path: entry.path,
    resource: entry.resource,
    fields: entry.fields,
    status: entry.status,
    result: entry.outcome,
    actor: {
      type: entry.actorKind,
      id: entry.actorId,
      name: entry.actorName,
      account_id: entry.actorAccountId,
      role: entry.role,
      session_id: entry.sessionId,
    },
    address: entry.address,
    user_agent: entry.userAgent,
    requestor: entry.requestor,
    requestor_client: entry.requestorClient,
    request_id: entry.requestId,
  };
}

type Column = readonly [name: string, cell: (entry: AuditEntry) => string | number | null];

const COLUMNS: readonly Column[] = [
  ['at', ({ at }) => at.toISOString()],
  ['account_id', ({ accountId }) => accountId],
  ['actor_type', ({ actorKind }) => actorKind],
  ['actor_id', ({ actorId }) => actorId],
  ['actor_name', ({ actorName }) => actorName],
  ['role', ({ role }) => role],
  ['kind', ({ kind }) => kind],
  ['operation', ({ operation }) => operation],
  ['method', ({ method }) => method],
  ['path', ({ path }) => path],
  [
    'resource',
    ({ resource }) =>
      Object.entries(resource)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
  ],
  ['fields', ({ fields }) => fields.join(' ')],
  ['result', ({ outcome }) => outcome],
  ['status', ({ status }) => status],
  ['address', ({ address }) => address],
  ['user_agent', ({ userAgent }) => userAgent],
  ['requestor', ({ requestor }) => requestor],
  ['requestor_client', ({ requestorClient }) => requestorClient],
  ['session_id', ({ sessionId }) => sessionId],
  ['request_id', ({ requestId }) => requestId],
  ['id', ({ id }) => id],
];

/** Lines of CSV, the names of the columns first. */
export async function* csvOf(pages: AsyncIterable<readonly AuditEntry[]>, separator: CsvSeparator) {
  yield (
    CSV_MARK +
      csvLine(
        COLUMNS.map(([name]) => name),
        separator,
      )
  );
  for await (const page of pages)
    yield page
      .map((entry) =>
        csvLine(
          COLUMNS.map(([, cell]) => cell(entry)),
          separator,
        ),
      )
      .join('');
}

/** An object a line. */
export async function* jsonLinesOf(pages: AsyncIterable<readonly AuditEntry[]>) {
  for await (const page of pages) yield page.map((entry) => `${JSON.stringify(entryView(entry))}\n`).join('');
}
