// The answers of an operation: its success, and every error that it may meet, each written once.
import { Type, type TSchema } from 'typebox';
import { AppError, ERRORS, type ErrorCode } from '../errors/index.ts';
import type { Contract } from './contract.ts';
import { ERROR_SHAPES, type ErrorShape } from './error-shapes.ts';
import { pascal, schemaOf } from './openapi-schemas.ts';
import type { Header, MediaType, Response, Schema } from './samples.ts';

const ANYWHERE: readonly ErrorCode[] = ['invalid_request', 'method_not_allowed', 'internal', 'unavailable'];
const WITH_KEY: readonly ErrorCode[] = ['unauthorized', 'forbidden', 'too_many_requests'];
/** Errors of requests that may carry a body. */
const WRITING: readonly ErrorCode[] = ['too_large', 'unsupported_media_type', 'out_of_space'];
/** Groups whose own documents promise one more answer for whatever else there is. */
const WITH_DEFAULT: readonly ErrorShape[] = ['preview', 'reason'];

/** The beginning of the names of a shape's answers. */
const PREFIXES: Record<ErrorShape, string> = {
  message: '',
  preview: 'Preview',
  reason: 'Reason',
  errors: 'Accessibility',
  sending: 'Sending',
  field: 'Field',
  described: 'Described',
  analytics: 'Analytics',
  certificates: 'Certificate',
};

const RETRY_AFTER: Header = {
  description: 'Seconds until it is worth trying again.',
  schema: { type: 'integer', minimum: 0 },
};
const HEADERS: Record<string, Header> = {
  'Retry-After': RETRY_AFTER,
  Allow: { description: 'The methods that this path takes.', schema: { type: 'string' } },
  'X-Request-Id': { description: 'Finds the request in the log of the service.', schema: { type: 'string' } },
  Deprecation: {
    description: 'Since when the operation is deprecated: `@` and Unix seconds (RFC 9745).',
    schema: { type: 'string' },
  },
  Link: { description: 'The operation to use instead, with `rel="successor-version"`.', schema: { type: 'string' } },
};

/** The headers of errors with this status. */
const headersOf = (status: number): string[] => [
  ...([425, 429, 503, 507].includes(status) ? ['Retry-After'] : []),
  ...(status === 405 ? ['Allow'] : []),
  'X-Request-Id',
];

const TITLES: Record<string, string> = {
  message: 'Error',
  'error,message': 'NamedError',
  'Reason,error,message': 'ReasonError',
  'errors,message': 'ListedErrors',
  'Description,message': 'DescribedError',
  'Field,Value,message': 'FieldError',
};

/** A schema of the body that a shape gives an error: its fields are all strings, or lists and objects of strings. */
function schemaLike(value: unknown): TSchema {
  if (Array.isArray(value)) return Type.Array(schemaLike(value[0]));
  if (typeof value !== 'object' || value === null) return Type.String();
  return Type.Object(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, schemaLike(inner)])));
}

function errorSchema(shape: ErrorShape, code: ErrorCode): Schema {
  const body = ERROR_SHAPES[shape](new AppError(code, ''));
  const title = typeof body === 'string' ? undefined : TITLES[Object.keys(body).join()];
  return { ...schemaOf(schemaLike(body)), ...(title && { title }) };
}

/** One error answer: the name it is kept under, and what it says. */
interface ErrorAnswer {
  status: string;
  name: string;
  response: Response;
}

function answerOf(shape: ErrorShape, status: number, codes: readonly ErrorCode[]): ErrorAnswer {
  const [first] = codes as [ErrorCode];
  const mediaType =
    typeof ERROR_SHAPES[shape](new AppError(first, '')) === 'string' ? 'text/plain' : 'application/json';
  return {
    status: String(status),
    name: PREFIXES[shape] + codes.map(pascal).join('Or'),
    response: {
      description: codes.map((code) => ERRORS[code].title).join(' '),
      headers: references(headersOf(status)),
      content: { [mediaType]: { schema: errorSchema(shape, first) } },
    },
  };
}

/** Every error that an operation may answer with, by status. */
function errorAnswers(contract: Contract): ErrorAnswer[] {
  const { errors = [], errorShape: shape, access, method } = contract;
  const isWriting = method !== 'GET' && method !== 'DELETE';
  const codes = new Set([
    ...errors,
    ...ANYWHERE,
    ...(access === 'none' ? [] : WITH_KEY),
    ...(isWriting ? WRITING : []),
  ]);
  const inOrder = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code));
  const answers = [...Map.groupBy(inOrder, (code) => ERRORS[code].status)].map(([status, group]) =>
    answerOf(shape, status, group),
  );
  if (!WITH_DEFAULT.includes(shape)) return answers;
  const other: Response = {
    description: 'Any other error.',
    headers: references(['X-Request-Id']),
    content: { 'application/json': { schema: errorSchema('preview', 'forbidden') } },
  };
  return [...answers, { status: 'default', name: 'PreviewDefault', response: other }];
}

function references(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function successOf(contract: Contract): Response {
  const names = [
    ...(contract.isPolled ? ['Retry-After'] : []),
    ...(contract.deprecated ? ['Deprecation', 'Link'] : []),
  ];
  if (contract.status === 204) return { description: 'Done.', ...(names.length && { headers: references(names) }) };
  const content: Record<string, MediaType> = contract.isFile
    ? { '*/*': { schema: { type: 'string', format: 'binary' } } }
    : contract.isStream
      ? { 'text/event-stream': { schema: { type: 'string' } } }
      : { 'application/json': { schema: schemaOf(contract.reply) } };
  return {
    description: contract.isFile ? 'The file.' : contract.isStream ? 'The events.' : 'Success.',
    ...(names.length && { headers: references(names) }),
    content,
  };
}

/** The answers of an operation. Errors are put into `components`, and named here. */
export function responsesOf(
  contract: Contract,
  components: { responses: Record<string, Response>; headers: Record<string, Header> },
): Record<string, Response> {
  const responses: Record<string, Response> = { [contract.status ?? 200]: successOf(contract) };
  for (const { status, name, response } of errorAnswers(contract)) {
    components.responses[name] ??= response;
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
  components.headers = HEADERS;
  return responses;
}
