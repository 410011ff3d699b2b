// A request that works when it is copied, for every operation of the OpenAPI document.

/** The parts of a JSON schema that the document and its samples use. */
export interface Schema {
  $ref?: string;
  /** Names the schema in the document. */
  title?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  example?: unknown;
  minimum?: number;
  /** The schema of a field that its feature validates itself. */
  'x-read-as'?: Schema;
  pattern?: string;
  format?: string;
  description?: string;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
}

export interface MediaType {
  schema: Schema;
  example?: unknown;
}

export interface Header {
  description: string;
  schema: Schema;
}

/** A response, or a reference to one among the components. */
export interface Response {
  $ref?: string;
  description?: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, MediaType>;
}

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  deprecated?: boolean;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> } | undefined;
  responses?: Record<string, Response>;
}

export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description?: string; license?: { name: string; identifier: string } };
  servers: readonly { url: string; description?: string }[];
  security?: unknown[];
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components?: {
    securitySchemes: Record<string, unknown>;
    headers: Record<string, Header>;
    responses: Record<string, Response>;
    schemas: Record<string, Schema>;
  };
}

/** A call of an operation that a test made, and what it was answered. */
export interface Example {
  /** Values of the path's parameters. */
  path?: Record<string, string>;
  query?: Record<string, string>;
  /** JSON. */
  body?: unknown;
  reply: unknown;
}

/** Examples by the ids of their operations. */
export type Examples = Readonly<Record<string, Example>>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation, in the order of the document. */
export function operationsOf({ paths }: OpenApiDocument): { method: string; path: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) =>
      item[method] ? [{ method: method.toUpperCase(), path, operation: item[method] }] : [],
    ),
  );
}

/** Values for fields by their names, where the schema gives only a type. */
const BY_NAME: Record<string, unknown> = {
  html: '<h1>Hello</h1><p>The roses by the south wall are in flower.</p>',
  subject: 'Garden notes',
  email: 'seed@example.com',
  host: 'imap.example.com',
  from: 'news@example.com',
  name: 'garden',
  description: 'Garden notes',
  links: ['https://example.com/'],
  clients: ['gmail_chrome'],
  test_id: '000000000000000000000000',
  image: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
};

/** A value that the schema takes: its own example where it has one, else only what is required. */
function sampleOf(schema: Schema, name = ''): unknown {
  const [example] = schema.examples ?? [];
  if (example !== undefined) return example;
  if (schema.example !== undefined) return schema.example;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (name in BY_NAME) return BY_NAME[name];
  const choice = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== 'null');
  if (choice) return sampleOf(choice, name);
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
  if (type === 'object' || schema.properties) return sampleOfObject(schema);
  if (type === 'array') return schema.items ? [sampleOf(schema.items)] : [];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  return type === 'boolean' ? true : name || 'text';
}

function sampleOfObject({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const names = new Set(required);
  // An email is given in one of three ways, and in one alone.
  if (properties['html'] && properties['mime']) names.add('html');
  return Object.fromEntries([...names].map((name) => [name, sampleOf(properties[name] ?? {}, name)]));
}

/** Puts what a test sent, and what it was answered, into the operations that have an example. */
export function withExamples(given: OpenApiDocument, examples: Examples): OpenApiDocument {
  for (const { operation } of operationsOf(given)) {
    const example = examples[operation.operationId ?? ''];
    if (example === undefined) continue;
    for (const parameter of operation.parameters ?? []) {
      const value = (parameter.in === 'path' ? example.path : example.query)?.[parameter.name];
      if (value !== undefined) parameter.example = typed(value, parameter.schema);
    }
    const body = operation.requestBody?.content['application/json'];
    if (body && example.body !== undefined) body.example = example.body;
    const success = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1];
    const reply = success?.content?.['application/json'];
    if (reply) reply.example = example.reply;
  }
  return given;
}

/** A value of a path or a query as JSON has it. */
function typed(text: string, schema: Schema = {}): unknown {
  const types = [schema, ...(schema.anyOf ?? [])].flatMap(({ type = [] }) => type);
  if (types.includes('integer') || types.includes('number')) return Number(text);
  return types.includes('boolean') ? text === 'true' : text;
}

/** Puts an example into every JSON body and every path parameter that has none. */
export function withSamples(given: OpenApiDocument): OpenApiDocument {
  for (const { operation } of operationsOf(given)) {
    for (const parameter of operation.parameters ?? [])
      if (parameter.in === 'path') parameter.example ??= sampleOf(parameter.schema ?? {}, parameter.name);
    const json = operation.requestBody?.content['application/json'];
    if (json) json.example ??= sampleOf(json.schema);
  }
  return given;
}

interface SampleRequest {
  path: string;
  /** JSON; undefined where there is none, or a file. */
  body: unknown;
  /** The field of a multipart body that holds a file. */
  file: string | undefined;
}

/** The path with its parameters filled by their examples, and the body. */
export function sampleRequest(path: string, { parameters = [], requestBody }: Operation): SampleRequest {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters.find((one) => one.name === name && one.in === 'path')?.example ?? name)),
  );
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map((one) => `${one.name}=${encodeURIComponent(String(one.example ?? sampleOf(one.schema ?? {}, one.name)))}`);
  const json = requestBody?.content['application/json'];
  const form = json ? undefined : requestBody?.content['multipart/form-data'];
  const file = Object.entries(form?.schema.properties ?? {}).find(([, { format }]) => format === 'binary')?.[0];
  return { path: query.length ? `${filled}?${query.join('&')}` : filled, body: json?.example, file };
}

/** A line for a shell. The key is taken from its environment. */
export function curlOf({
  method,
  path,
  operation,
  baseUrl,
}: {
  method: string;
  path: string;
  operation: Operation;
  baseUrl: string;
}): string {
  const request = sampleRequest(path, operation);
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(baseUrl + request.path)}`,
    ...(operation.security?.length === 0 ? [] : ['-u "api:$GALLEY_API_KEY"']),
    ...(request.file === undefined ? [] : [`-F ${request.file}=@expected.csv`]),
    ...(request.body === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(request.body))}`]),
  ].join(' \\\n  ');
}
