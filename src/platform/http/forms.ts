// Form bodies, as existing clients send them: urlencoded, or multipart with files.
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/index.ts';

/** A file of a multipart body, whole. */
export interface UploadedFile {
  fileName: string;
  mediaType: string;
  bytes: Buffer;
}

const FIELDS_MAX = 1000;
const FILES_MAX = 20;

/** A field that comes again becomes a list, as `to=a&to=b` does. */
function add(body: Record<string, unknown>, name: string, value: unknown): void {
  const before = body[name];
  if (before === undefined) body[name] = value;
  else body[name] = Array.isArray(before) ? [...before, value] : [before, value];
}

async function readMultipart(request: FastifyRequest, sizeBytesMax: number): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {};
  const limits = { fileSize: sizeBytesMax, fieldSize: sizeBytesMax, fields: FIELDS_MAX, files: FILES_MAX, parts: FIELDS_MAX + FILES_MAX };
  for await (const part of request.parts({ limits })) {
    if (part.type === 'file') add(body, part.fieldname, { fileName: part.filename, mediaType: part.mimetype, bytes: await part.toBuffer() } satisfies UploadedFile);
    // The parser cuts a long field instead of refusing it.
    else if (part.valueTruncated) throw new AppError('too_large', `The field ${part.fieldname} is larger than this endpoint accepts.`, { details: { field: part.fieldname } });
    else add(body, part.fieldname, part.value);
  }
  return body;
}

/** Lets every endpoint take forms as well as JSON; validation is the same. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  await app.register(formbody);
  await app.register(multipart);
  app.addHook('preValidation', async (request) => {
    if (request.isMultipart()) request.body = await readMultipart(request, request.routeOptions.bodyLimit);
  });
}
