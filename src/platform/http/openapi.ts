// The contracts as OpenAPI 3.1.
import type { FastifySchema } from 'fastify';
import type { SwaggerOptions } from '@fastify/swagger';
import { Type, type TSchema } from 'typebox';
import { AppError, ERRORS, type ErrorCode } from '../errors/index.ts';
import type { Contract } from './contract.ts';
import { withSamples } from './samples.ts';
import { ERROR_SHAPES } from './error-shapes.ts';

const EVERYWHERE: readonly ErrorCode[] = ['internal'];
const WITH_KEY: readonly ErrorCode[] = ['unauthorized', 'forbidden', 'too_many_requests', 'internal'];

/** A schema of the body that a shape gives an error: its fields are all strings or objects of strings. */
function schemaLike(value: unknown): TSchema {
  if (Array.isArray(value)) return Type.Array(schemaLike(value[0]));
  if (typeof value !== 'object' || value === null) return Type.String();
  return Type.Object(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, schemaLike(inner)])));
}

function errorResponses(contract: Contract): Record<string, unknown> {
  const codes = [...(contract.errors ?? []), ...(contract.access === 'none' ? EVERYWHERE : WITH_KEY)];
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      const shape = schemaLike(ERROR_SHAPES[contract.errorShape](new AppError(group[0] as ErrorCode, '')));
      return [status, { description: [...new Set(group)].map((code) => ERRORS[code].title).join(' '), ...shape }];
    }),
  );
}

/** The route's schema, from which the OpenAPI document is made. */
export function routeSchema(contract: Contract): FastifySchema {
  const success = contract.isFile
    ? { description: 'The file.', content: { '*/*': { schema: { type: 'string', format: 'binary' } } } }
    : { description: 'Success.', ...contract.reply };
  return {
    summary: contract.summary,
    ...(contract.description && { description: contract.description }),
    tags: [contract.tag],
    operationId: operationId(contract),
    deprecated: Boolean(contract.deprecated),
    security: contract.access === 'none' ? [] : [{ basic: [] }],
    ...(contract.params && { params: contract.params }),
    ...(contract.query && { querystring: contract.query }),
    ...(contract.body && { body: contract.sample ? { ...contract.body, examples: [contract.sample] } : contract.body }),
    response: { [contract.status ?? 200]: success, ...errorResponses(contract) },
  } as FastifySchema;
}

/** `GET /v2/preview/tests/{test_id}` → `get_v2_preview_tests_test_id`. */
function operationId(contract: Pick<Contract, 'method' | 'path'>): string {
  return `${contract.method.toLowerCase()}${contract.path.replaceAll(/[{}]/g, '').replaceAll(/[^a-z0-9]+/gi, '_')}`;
}

export function openApiOptions(version: string): SwaggerOptions {
  return {
    transformObject: (given) =>
      withSamples('openapiObject' in given ? given.openapiObject : given.swaggerObject) as never,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Galley',
        version,
        description:
          'Proofs an email before it is sent, watches how it is received, and runs the sending account in between.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      components: {
        securitySchemes: {
          basic: { type: 'http', scheme: 'basic', description: 'User `api`, password: the API key.' },
        },
      },
    },
  };
}
