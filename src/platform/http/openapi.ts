// The contracts as OpenAPI 3.1.
import type { TSchema } from 'typebox';
import type { Contract } from './contract.ts';
import { responsesOf } from './openapi-responses.ts';
import { bodySchemaOf, formSchemaOf, inputSchemaOf, NamedSchemas, pascal, schemaOf } from './openapi-schemas.ts';
import {
  operationsOf,
  withExamples,
  withSamples,
  type Examples,
  type MediaType,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Schema,
} from './samples.ts';

interface OpenApiOptions {
  info: OpenApiDocument['info'];
  /** Where the service is reached; the first is the usual one. */
  servers: OpenApiDocument['servers'];
  /** What each tag is about. */
  tags: Record<string, string>;
  /** Calls that tests made. */
  examples: Examples;
}

function parametersOf(place: 'path' | 'query', schema: TSchema | undefined): Parameter[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = place === 'path' ? schemaOf(schema) : inputSchemaOf(schema);
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description && { description }),
    schema: rest,
  }));
}

function requestBodyOf({
  body,
  sample,
  isBodyOptional,
  isJsonOnly,
  isFormOnly,
  fileField,
}: Contract): Operation['requestBody'] {
  if (body === undefined) return undefined;
  const schema = bodySchemaOf(body);
  const form = isJsonOnly ? undefined : formSchemaOf(schema, fileField);
  const content: Record<string, MediaType> = {};
  if (!isFormOnly) content['application/json'] = { schema, ...(sample && { example: sample }) };
  if (form && fileField === undefined) content['application/x-www-form-urlencoded'] = { schema: form };
  if (form) content['multipart/form-data'] = { schema: form };
  return { required: !isBodyOptional, content };
}

function operationOf(contract: Contract, components: Required<OpenApiDocument>['components']): Operation {
  const parameters = [...parametersOf('path', contract.params), ...parametersOf('query', contract.query)];
  const requestBody = requestBodyOf(contract);
  const exemption = contract.unaudited ?? (contract.isQuery ? 'it changes nothing.' : undefined);
  const unaudited = exemption === undefined ? '' : `Not in the audit log: ${exemption}`;
  const description = [contract.description ?? '', unaudited].filter((words) => words !== '').join(' ');
  return {
    operationId: contract.operationId,
    summary: contract.summary,
    ...(description && { description }),
    tags: [contract.tag],
    ...(contract.deprecated && { deprecated: true }),
    ...(contract.access === 'none' && { security: [] }),
    ...(parameters.length && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(contract, components),
  };
}

/**
 * The document with every schema where it is used; see {@link withNamedSchemas}. Throws when two operations have one
 * id.
 */
export function openApiDocument(
  contracts: readonly Contract[],
  { info, servers, tags, examples }: OpenApiOptions,
): OpenApiDocument {
  const components: Required<OpenApiDocument>['components'] = {
    securitySchemes: { basic: { type: 'http', scheme: 'basic', description: 'User `api`, password: the API key.' } },
    headers: {},
    responses: {},
    schemas: {},
  };
  const paths: OpenApiDocument['paths'] = {};
  const ids = new Set<string>();
  for (const contract of contracts) {
    if (ids.has(contract.operationId)) throw new Error(`Two operations have the id ${contract.operationId}.`);
    ids.add(contract.operationId);
    (paths[contract.path] ??= {})[contract.method.toLowerCase()] = operationOf(contract, components);
  }
  const used = [...new Set(contracts.map(({ tag }) => tag))].sort();
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info,
    servers,
    security: [{ basic: [] }],
    tags: used.map((name) => ({ name, ...(tags[name] && { description: tags[name] }) })),
    paths,
    components,
  };
  return withSamples(withExamples(document, examples));
}

const isForm = (mediaType: string): boolean => mediaType.startsWith('multipart/') || mediaType.endsWith('urlencoded');

/** Each schema of the document, with the name that it would get, and the way to put another in its place. */
function* placesOf(document: OpenApiDocument): Generator<{ media: MediaType; name: string; isOwn: boolean }> {
  for (const { operation } of operationsOf(document)) {
    const name = pascal(operation.operationId ?? '');
    // A form that holds a file stands in one place, and is read there.
    for (const [type, media] of Object.entries(operation.requestBody?.content ?? {}))
      yield { media, name: isForm(type) ? `${name}Form` : `${name}Body`, isOwn: !isForm(type) };
    for (const { content = {} } of Object.values(operation.responses ?? {}))
      for (const media of Object.values(content))
        yield { media, name: `${name}Reply`, isOwn: media.schema.properties !== undefined };
  }
  for (const [name, { content = {} }] of Object.entries(document.components?.responses ?? {}))
    for (const media of Object.values(content)) yield { media, name: `${name}Error`, isOwn: false };
}

/**
 * The same document, in which each schema that is used again stands once, under a name, as generators of clients want
 * it.
 */
export function withNamedSchemas(given: OpenApiDocument): OpenApiDocument {
  const document = structuredClone(given);
  const named = new NamedSchemas();
  for (const { media } of placesOf(document)) named.count(media.schema);
  for (const { media, name, isOwn } of placesOf(document))
    media.schema = named.write(media.schema, name, isOwn) as Schema;
  if (document.components) document.components.schemas = named.schemas;
  return document;
}
