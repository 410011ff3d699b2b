// docs/collections: every operation as a request of a collection that API clients import. The format is Postman's,
// version 2.1 (https://schema.postman.com): Bruno, Insomnia and Hoppscotch read it, too.
import { operationsOf, sampleRequest, type OpenApiDocument, type Operation } from '../src/platform/http/index.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const ABOUT =
  'Every operation of the API, with what it needs filled in by examples. Set the variables `baseUrl` (where the ' +
  'service is) and `apiKey` first. Send requests one at a time, not the whole collection: some of them delete.';

type Parameter = NonNullable<Operation['parameters']>[number];

interface Field {
  key: string;
  value: string;
  disabled?: true;
}

interface FormField extends Partial<Field> {
  key: string;
  type: 'text' | 'file';
  src?: null;
}

interface Request {
  method: string;
  description?: string;
  auth?: { type: 'noauth' };
  header?: Field[];
  url: { raw: string; host: string[]; path: string[]; query?: Field[]; variable?: Field[] };
  body?:
    | { mode: 'raw'; raw: string; options: { raw: { language: 'json' } } }
    | { mode: 'formdata'; formdata: FormField[] };
}

export interface Collection {
  info: { name: string; description: string; schema: string };
  auth: object;
  variable: Field[];
  item: { name: string; description?: string; item: { name: string; request: Request }[] }[];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** What is required is sent; the rest stands there, switched off. */
function queryOf(parameters: readonly Parameter[], sample: URLSearchParams): Field[] {
  return parameters
    .filter((one) => one.in === 'query')
    .map(({ name, example, required }) => {
      const value = sample.get(name) ?? (example === undefined ? '' : textOf(example));
      return { key: name, value, ...(!required && { disabled: true as const }) };
    });
}

function urlOf(path: string, operation: Operation): Request['url'] {
  const { parameters = [] } = operation;
  const [, search = ''] = sampleRequest(path, operation).path.split('?', 2);
  const query = queryOf(parameters, new URLSearchParams(search));
  const variable = parameters
    .filter((one) => one.in === 'path')
    .map(({ name, example }) => ({ key: name, value: textOf(example ?? '') }));
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1'));
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${encodeURIComponent(value)}`);
  return {
    raw: `{{baseUrl}}/${segments.join('/')}${sent.length ? `?${sent.join('&')}` : ''}`,
    host: ['{{baseUrl}}'],
    path: segments,
    ...(query.length && { query }),
    ...(variable.length && { variable }),
  };
}

/** A form has its files, to be chosen, and the fields that it cannot do without. */
function formOf({ schema: { properties = {}, required = [] } }: { schema: any }): FormField[] {
  return Object.entries<any>(properties).flatMap(([key, { format, enum: values }]): FormField[] => {
    if (format === 'binary') return [{ key, type: 'file', src: null }];
    return required.includes(key) ? [{ key, type: 'text', value: values?.[0] ?? '' }] : [];
  });
}

function bodyOf(path: string, operation: Operation): Pick<Request, 'body' | 'header'> {
  const { body } = sampleRequest(path, operation);
  if (body !== undefined)
    return {
      header: [{ key: 'Content-Type', value: 'application/json' }],
      body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
    };
  const form = operation.requestBody?.content['multipart/form-data'];
  return form ? { body: { mode: 'formdata', formdata: formOf(form) } } : {};
}

/** The collection of a document with every schema where it is used and every example. */
export function collectionOf(document: OpenApiDocument): Collection {
  const groups = Map.groupBy(operationsOf(document), ({ operation }) => operation.tags?.[0] ?? 'Other');
  const item = (document.tags ?? []).map(({ name, description }) => ({
    name,
    ...(description !== undefined && { description }),
    item: (groups.get(name) ?? []).map(({ method, path, operation }) => ({
      name: `${operation.summary}${operation.deprecated ? ' (deprecated)' : ''}`,
      request: {
        method,
        ...(operation.description !== undefined && { description: operation.description }),
        ...(operation.security?.length === 0 && { auth: { type: 'noauth' as const } }),
        ...bodyOf(path, operation),
        url: urlOf(path, operation),
      },
    })),
  }));
  return {
    info: { name: 'Galley', description: ABOUT, schema: SCHEMA },
    auth: {
      type: 'basic',
      basic: [
        { key: 'username', value: 'api', type: 'string' },
        { key: 'password', value: '{{apiKey}}', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:8400' },
      { key: 'apiKey', value: '' },
    ],
    item,
  };
}
