import type { Static } from 'typebox';
import { invalid } from '../../../platform/errors/index.ts';
import { endpoint } from '../../../platform/feature/index.ts';
import {
  readBase64,
  readSourceOrTemplate,
  storable,
  type StoredSource,
  type TemplateDoors,
} from '../_message/index.ts';
import { standardEndpoints, startedView } from '../_inspections/index.ts';
import * as contracts from './contract.ts';
import { fixTest } from './fix.ts';
import { accessibilityTests } from './inspection.ts';

function decoded(html: string): string {
  const read = readBase64(html);
  if ('why' in read) throw invalid('html', 'is not base64, although encoded is true.');
  return read.bytes.toString('utf8');
}

async function read(
  ctx: TemplateDoors,
  { encoded, ...body }: Static<typeof contracts.createTest.body & {}>,
): Promise<StoredSource> {
  const { html, url, mime, template } = body;
  if (typeof html !== 'string' && typeof url !== 'string' && typeof mime !== 'string' && !template)
    throw invalid('html', 'is required.');
  return storable(
    await readSourceOrTemplate(ctx, encoded && typeof html === 'string' ? { ...body, html: decoded(html) } : body),
  );
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
