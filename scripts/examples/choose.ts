// Of all calls of an operation, the one whose reply shows most of its fields is the example.
import type { Contract, Example, Operation, Schema } from '../../src/platform/http/index.ts';
import type { RecordedCall } from '../../test/harness/recorded-calls.ts';
import { withoutTraces } from './neutral.ts';
import { fieldsIn, trimmed } from './trim.ts';

interface Described {
  /** The folder of the feature that declares it, from the root. */
  folder: string;
  contract: Pick<Contract, 'method' | 'path' | 'operationId' | 'sample'>;
  operation: Operation;
}

/** Fixed parts before parameters: `/v1/inspect/links/html-validate` is no id of `/v1/inspect/links/{id}`. */
const parametersIn = ({ contract }: Described): number => contract.path.split('{').length;

interface Match {
  described: Described;
  path: Record<string, string>;
  query: Record<string, string>;
}

/** The operation that a call was answered by. */
function matcherOf(operations: readonly Described[]): (call: RecordedCall) => Match | undefined {
  const patterns = operations
    .toSorted((a, b) => parametersIn(a) - parametersIn(b))
    .map((described) => ({
      described,
      pattern: new RegExp(`^${described.contract.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`),
    }));
  return ({ operation, baseUrl }) => {
    const [method, given = ''] = operation.split(' ');
    const url = new URL(given, baseUrl);
    for (const { described, pattern } of patterns) {
      const found = method === described.contract.method ? pattern.exec(url.pathname) : null;
      if (!found) continue;
      const path = Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
      return { described, path: Object.fromEntries(path), query: Object.fromEntries(url.searchParams) };
    }
    return undefined;
  };
}

/** The schema of what an operation answers with when all is well, and of what it takes. */
function schemasOf({ operation }: Described): { body: Schema; reply: Schema | undefined } {
  const success = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1];
  return {
    body: operation.requestBody?.content['application/json']?.schema ?? {},
    reply: success?.content?.['application/json']?.schema,
  };
}

/** A request works when it is copied: it is shown whole, or not taken. */
const REQUEST_CHARACTERS_MAX = 800;
/** A file or a message in base64 says nothing to a reader. */
const ENCODED = /"[A-Za-z0-9+/]{100,}={0,2}"/;

/**
 * The call as an example; undefined where it is too long, sends what the document does not name, or what a reader
 * cannot read.
 */
function exampleOf(call: RecordedCall, { described, path, query }: Match): Example | undefined {
  const { parameters = [], operationId = '' } = described.operation;
  if (Object.keys(query).some((name) => !parameters.some((one) => one.in === 'query' && one.name === name)))
    return undefined;
  const schemas = schemasOf(described);
  const unknown = Object.keys(call.body ?? {}).filter((name) => !(name in (schemas.body.properties ?? {})));
  if (!schemas.reply || unknown.length) return undefined;
  const isReadable = !ENCODED.test(JSON.stringify(call.body ?? null));
  // Where a reader could not read what was sent, the contract may say what it looks like.
  if (!isReadable && !described.contract.sample) return undefined;
  const shown = isReadable ? call.body : undefined;
  const { reply: answered, baseUrl, recordedAtMs } = call;
  const given = { path, query, body: shown, reply: answered };
  const neutral = withoutTraces(given, { operationId, recordedAtMs, baseUrl });
  const { body } = neutral;
  const reply = trimmed(neutral.reply, schemas.reply);
  if (reply === undefined || (JSON.stringify(body)?.length ?? 0) > REQUEST_CHARACTERS_MAX) return undefined;
  return {
    ...(Object.keys(path).length && { path: neutral.path }),
    ...(Object.keys(query).length && { query: neutral.query }),
    ...(body !== undefined && { body }),
    reply,
  };
}

/** Calls of the same tests come in the same order, in whichever order the files ran. */
function inOrder(calls: readonly RecordedCall[]): RecordedCall[] {
  return calls.toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
}

/** How well a call serves as an example: the first number that differs decides. */
type Rank = readonly [
  isTidy: number,
  isOfOwnFeature: number,
  isSettled: number,
  fieldsOfReply: number,
  fieldsOfRequest: number,
];

/** How far work has come by then differs from run to run. */
const UNDER_WAY = /":"(?:processing|pending|queued|running)"/i;
/** White space that a test sends to see it taken away. */
const UNTIDY = /^\s|\s$|^[^<:]*[\n\t]/;

function holdsUntidyText(value: unknown): boolean {
  if (typeof value === 'string') return UNTIDY.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsUntidyText);
}

function rankOf(call: RecordedCall, { described }: Match, { body, query, reply }: Example): Rank {
  return [
    holdsUntidyText([body, query]) ? 0 : 1,
    call.file.startsWith(`${described.folder}/`) ? 1 : 0,
    call.operation.startsWith('GET') && UNDER_WAY.test(JSON.stringify(reply)) ? 0 : 1,
    fieldsIn(reply).size,
    fieldsIn([body ?? null, query ?? null]).size,
  ];
}

function isAbove(a: Rank, b: Rank): boolean {
  const differing = a.findIndex((value, index) => value !== b[index]);
  return differing >= 0 && (a[differing] as number) > (b[differing] as number);
}

/** Examples by the ids of their operations; whether a test of the operation's own feature made the call. */
type Chosen = Record<string, { example: Example; isOfOwnFeature: boolean }>;

/**
 * An example for each operation that a test called. Requests without stray white space come first, then tests of
 * the operation's own feature, then replies that nothing changes any more, then those that show most fields, then the
 * first call.
 */
export function chooseExamples(operations: readonly Described[], calls: readonly RecordedCall[]): Chosen {
  const match = matcherOf(operations);
  const chosen = new Map<string, { example: Example; rank: Rank }>();
  for (const call of inOrder(calls)) {
    const found = match(call);
    const example = found && exampleOf(call, found);
    if (!found || !example) continue;
    const id = found.described.contract.operationId;
    const rank = rankOf(call, found, example);
    const before = chosen.get(id);
    if (!before || isAbove(rank, before.rank)) chosen.set(id, { example, rank });
  }
  return Object.fromEntries(
    [...chosen].map(
      ([
        id,
        {
          example,
          rank: [, isOwn],
        },
      ]) => [id, { example, isOfOwnFeature: isOwn === 1 }],
    ),
  );
}
