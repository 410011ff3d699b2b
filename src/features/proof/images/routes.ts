import type { Static } from 'typebox';
import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { HttpReply, isFile } from '../../../platform/http/index.ts';
import { countedPaging } from '../../../platform/paging/index.ts';
import { isAccountOpen } from '../../account/accounts/index.ts';
import { readBase64, readSourceOrTemplate, storable } from '../_message/index.ts';
import { findInspectionOwner, startedView, type StartDoors } from '../_inspections/index.ts';
import type { ImageInput } from './check-images.ts';
import * as contracts from './contract.ts';
import { PATH } from './contract.ts';
import { imageTests } from './inspection.ts';
import { IMAGE_BYTES_MAX } from './load-images.ts';
import { fileKey, folderKey, MEDIA_TYPES } from './objects.ts';
import { optimizationsOf, optimizeImages } from './optimization.ts';
import { deleteOptimizations } from './store.ts';
import { briefView, isProcessing, optimizationView, testView } from './views.ts';

/** How long an upload waits for its result; after that the caller gets the test by its id. */
const UPLOAD_WAIT_MS = 25_000;
const POLL_MS = 40;

async function start(ctx: StartDoors & Pick<Context, 'principal'>, input: ImageInput) {
  return startedView(await imageTests.start(ctx, ctx.principal.accountId, input), PATH);
}

function decoded(text: string): Buffer {
  const read = readBase64(text.replace(/^data:[^,]*;base64,/i, ''));
  if ('why' in read) throw invalid('image', 'is not base64.');
  return read.bytes;
}

/** The one image of an upload: a file of a form, or base64. */
function readUpload({ image, file_name: fileName }: Static<typeof contracts.uploadImage.body & {}>): {
  name: string;
  bytes: Buffer;
} {
  if (Array.isArray(image)) throw invalid('image', 'must be one file.');
  if (!isFile(image) && typeof image !== 'string')
    throw invalid('image', 'must be a file of a multipart body, or base64.');
  const bytes = isFile(image) ? image.bytes : decoded(image);
  if (bytes.length === 0) throw invalid('image', 'is empty.');
  if (bytes.length > IMAGE_BYTES_MAX)
    throw new AppError(
      'too_large',
      `image is ${bytes.length} bytes; at most ${IMAGE_BYTES_MAX} (15 MiB) are accepted.`,
      { details: { field: 'image' } },
    );
  return { name: (fileName ?? (isFile(image) ? image.fileName : undefined)) || 'image', bytes };
}

async function upload(
  ctx: StartDoors & Pick<Context, 'principal' | 'baseUrl'>,
  body: Static<typeof contracts.uploadImage.body & {}>,
) {
  const { name, bytes } = readUpload(body);
  const { id } = await imageTests.start(ctx, ctx.principal.accountId, {
    kind: 'upload',
    name,
    body: bytes,
  });
  const deadline = performance.now() + UPLOAD_WAIT_MS;
  for (;;) {
    const test = await imageTests.get(ctx, id);
    if (test.status !== 'Processing' || performance.now() > deadline)
      return testView(test, { baseUrl: ctx.baseUrl, optimizations: new Map() });
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function get(ctx: Pick<Context, 'db' | 'principal' | 'baseUrl'>, id: string): Promise<HttpReply> {
  const test = await imageTests.get(ctx, id);
  const view = testView(test, { baseUrl: ctx.baseUrl, optimizations: await optimizationsOf(ctx, test) });
  return new HttpReply(view, test.status === 'Processing' ? { 'retry-after': '1' } : {});
}

async function reprocess(ctx: StartDoors & Pick<Context, 'principal'>, id: string) {
  const before = await imageTests.get(ctx, id);
  const begun = await imageTests.restart(ctx, id);
  await deleteOptimizations(ctx.db, begun);
  if (before.result) await ctx.blobs.deleteAll(folderKey({ id, name: before.result.folder }));
  return startedView(begun, PATH);
}

async function optimize(
  ctx: Pick<Context, 'db' | 'jobs' | 'clock' | 'principal' | 'baseUrl'>,
  wanted: { id: string; imageId?: string },
) {
  const { id, result, images, optimizations } = await optimizeImages(ctx, wanted.id, wanted.imageId);
  const view = optimizationView(wanted.imageId ?? id, images, {
    baseUrl: ctx.baseUrl,
    folder: { id, name: result.folder },
    optimizations,
  });
  return { meta: { status: isProcessing(view) ? 'Processing' : 'Completed' }, view };
}

const FILE = /^[0-9a-f]{32}\.(\w{3,4})$/;
const FOLDER = /^[0-9a-f]{32}$/;
const ID = /^[0-9a-f]{24}$/;
/**
 * A picture from anywhere is hostile: an SVG is a document that may bring scripts. Here it gets no scripts and no
 * origin.
 */
const FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

async function file(
  ctx: Pick<Context, 'db' | 'blobs' | 'headers'>,
  wanted: { id: string; folder: string; file: string; isDownload: boolean },
): Promise<HttpReply> {
  const mediaType = MEDIA_TYPES[FILE.exec(wanted.file)?.[1] ?? ''];
  const missing = notFound('picture', wanted.file);
  if (!mediaType || !FOLDER.test(wanted.folder) || !ID.test(wanted.id)) throw missing;
  const owner = await findInspectionOwner(ctx.db, wanted.id);
  if (owner === undefined || !(await isAccountOpen(ctx, owner))) throw missing;
  const stored = await ctx.blobs.stream(fileKey({ id: wanted.id, name: wanted.folder }, wanted.file));
  if (!stored) throw missing;
  const etag = `"${wanted.file.slice(0, 32)}"`;
  // The name follows from the bytes, so that what it stands for never changes.
  const headers = {
    etag,
    'cache-control': 'private, max-age=31536000, immutable',
    'content-security-policy': FILE_POLICY,
  };
  if (ctx.headers['if-none-match'] === etag) {
    stored.body.destroy();
    return new HttpReply('', headers, 304);
  }
  return new HttpReply(stored.body, {
    ...headers,
    'content-type': mediaType,
    'content-length': String(stored.sizeBytes),
    ...(wanted.isDownload && { 'content-disposition': `attachment; filename="${wanted.file}"` }),
  });
}

export const endpoints = [
  endpoint(contracts.createTest, (ctx, { body }) =>
    start(ctx, { kind: 'links', links: body.links.map((link) => link.trim()) }),
  ),
  endpoint(contracts.createTestFromHtml, async (ctx, { body }) =>
    start(ctx, storable(await readSourceOrTemplate(ctx, body))),
  ),
  endpoint(contracts.uploadImage, (ctx, { body }) => upload(ctx, body)),
  endpoint(contracts.listTests, async (ctx, { query: { limit, skip } }) => {
    const { items, total } = await imageTests.list(ctx, { limit, skip, isBrief: true });
    return {
      ...countedPaging(ctx.baseUrl + PATH, { limit, skip }, total),
      items: items.map((test) => briefView(test, PATH)),
    };
  }),
  endpoint(contracts.getTest, (ctx, { params }) => get(ctx, params.id)),
  endpoint(contracts.deleteTest, async (ctx, { params }) => {
    await imageTests.remove(ctx, ctx.principal.accountId, params.id);
    return { message: 'The image test was deleted.' };
  }),
  endpoint(contracts.reprocessTest, (ctx, { params }) => reprocess(ctx, params.id)),
  endpoint(contracts.optimizeTest, async (ctx, { params }) => {
    const { meta, view } = await optimize(ctx, { id: params.id });
    return { meta, items: [view] };
  }),
  endpoint(contracts.optimizeImage, async (ctx, { params }) => {
    const { meta, view } = await optimize(ctx, { id: params.id, imageId: params.image_id });
    return { meta, items: view };
  }),
  endpoint(contracts.getFile, (ctx, { params, query }) =>
    file(ctx, { id: params.id, folder: params.folder, file: params.file, isDownload: query.download !== undefined }),
  ),
];
