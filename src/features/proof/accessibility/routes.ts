import type { Static } from 'typebox';
import { invalid } from '../../../platform/errors/index.ts';
import { endpoint, type Outside } from '../../../platform/feature/index.ts';
import { readSource, storable, type StoredSource } from '../_message/index.ts';
import { standardEndpoints, startedView } from '../_inspections/index.ts';
import * as contracts from './contract.ts';
import { fixTest } from './fix.ts';
import { accessibilityTests } from './inspection.ts';

/** Whole quanta only: Node would skip what is not base64. */
function decoded(html: string): string {
  const compact = html.replaceAll(/\s/g, '');
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact)) throw invalid('html', 'is not base64, although encoded is true.');
  return Buffer.from(compact, 'base64').toString('utf8');
}

async function read(
  ctx: Pick<Outside, 'fetch' | 'compute'>,
  { encoded, ...body }: Static<typeof contracts.createTest.body & {}>,
): Promise<StoredSource> {
  const { html, url, mime } = body;
  if (typeof html !== 'string' && typeof url !== 'string' && typeof mime !== 'string')
    throw invalid('html', 'is required.');
  return storable(await readSource(ctx, encoded && typeof html === 'string' ? { ...body, html: decoded(html) } : body));
}

const { list, get, remove } = standardEndpoints(accessibilityTests, { errorShape: contracts.ERROR_SHAPE });

export const endpoints = [
  endpoint(contracts.createTest, async (ctx, { body }) =>
    startedView(await accessibilityTests.start(ctx, ctx.principal.accountId, await read(ctx, body)), contracts.PATH),
  ),
  list,
  get,
  endpoint(contracts.fixTest, (ctx, { params, body }) => fixTest(ctx, params.id, body)),
  remove,
];
