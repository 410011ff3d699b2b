// What a successful change was, for the audit log: who, what and where, never the values of its fields.
import type { FastifyRequest } from 'fastify';
import { cleanLine, type Initiator } from './callers.ts';
import { HttpReply, type Contract, type Principal } from './contract.ts';

const FIELDS_MAX = 50;
const NAME_LENGTH_MAX = 60;
const RESOURCE_PARTS_MAX = 8;
const RESOURCE_LENGTH_MAX = 320;
const PATH_LENGTH_MAX = 500;
/** Of an array of records, those whose fields are read. */
const RECORDS_READ_MAX = 20;

/** Fields whose values say what a change was about. No secret and no text of a message has such a name. */
const NAMING = [
  'id',
  'name',
  'domain',
  'domain_name',
  'address',
  'ip',
  'ip_address',
  'addr',
  'email',
  'login',
  'mailbox',
  'pool_id',
  'subaccount_id',
  'user_id',
  'role',
  'kind',
] as const;

/** A change that was made. */
export interface Change extends Initiator {
  principal: Principal;
  operationId: string;
  method: string;
  /** As it was called, in the contract's spelling, without the query. */
  path: string;
  /** What it was about: parts of the path, and what names it among the fields and in the answer. */
  resource: Record<string, string>;
  /** The names of the fields that were given, of the query and the body. */
  fields: string[];
  status: number;
  address: string;
  requestId: string;
}

/** Keeps a change. Never rejects. */
export type NoteChange = (change: Change) => Promise<void>;

/** Whether successful calls of an operation are changes that the audit log has. */
export function isAudited({ method, access, isQuery, unaudited }: Contract): boolean {
  return method !== 'GET' && !isQuery && access !== 'none' && unaudited === undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The records that a body holds: itself, or its items. */
function recordsOf(body: unknown): Record<string, unknown>[] {
  return [body].flat().slice(0, RECORDS_READ_MAX).filter(isRecord);
}

/** The names of the fields that a request gives. To read before validation, which adds those that have a default. */
export function givenFieldsOf({ query, body }: Pick<FastifyRequest, 'query' | 'body'>): string[] {
  const names = [...recordsOf(query), ...recordsOf(body)].flatMap((record) => Object.keys(record));
  return [...new Set(names.map((name) => cleanLine(name, NAME_LENGTH_MAX)))].slice(0, FIELDS_MAX);
}

type Part = readonly [name: string, value: unknown];

/** The ids in an answer: its own, and those of what it holds. */
function idsIn(answer: unknown): Part[] {
  const body = answer instanceof HttpReply ? answer.body : answer;
  if (!isRecord(body) || Buffer.isBuffer(body)) return [];
  return Object.entries(body).flatMap(([name, value]): Part[] => {
    if (name === 'id' || name === 'pool_id' || name === 'reference_id') return [[name, value]];
    return isRecord(value) && 'id' in value ? [[`${name}_id`, value['id']]] : [];
  });
}

function resourceOf(parts: readonly Part[]): Record<string, string> {
  const texts = parts.flatMap(([name, value]) => {
    const isText = typeof value === 'string' || typeof value === 'number';
    const text = isText ? cleanLine(String(value), RESOURCE_LENGTH_MAX) : '';
    return text === '' ? [] : [[cleanLine(name, NAME_LENGTH_MAX), text] as const];
  });
  // The first to say a name says it: the path before the fields, the fields before the answer.
  const named = new Map<string, string>();
  for (const [name, text] of texts) if (!named.has(name) && named.size < RESOURCE_PARTS_MAX) named.set(name, text);
  return Object.fromEntries(named);
}

interface Made {
  /** What {@link givenFieldsOf} found. */
  fields: string[];
  caller: Initiator & { principal: Principal; address: string };
  answer: unknown;
}

/** What was changed by a request, from what it gave and what it was answered. */
export function changeOf(request: FastifyRequest, contract: Contract, { fields, caller, answer }: Made): Change {
  const { query, body } = request;
  const said = [...recordsOf(query), ...(Array.isArray(body) ? [] : recordsOf(body))];
  const named = said.flatMap((record) =>
    NAMING.filter((name) => fields.includes(name) && Object.hasOwn(record, name)).map((name): Part => [
      name,
      record[name],
    ]),
  );
  const { principal, address, requestor, requestorClient, userAgent } = caller;
  return {
    principal,
    operationId: contract.operationId,
    method: contract.method,
    path: cleanLine(request.url.split('?', 1)[0] as string, PATH_LENGTH_MAX),
    resource: resourceOf([...Object.entries(request.params as object), ...named, ...idsIn(answer)]),
    fields,
    status: (answer instanceof HttpReply ? answer.status : undefined) ?? contract.status ?? 200,
    address,
    requestor,
    requestorClient,
    userAgent,
    requestId: request.id,
  };
}
