// Form bodies, as existing clients send them: urlencoded, or multipart with files.
import formbody from '@fastify/formbody';
import multipart, { type Multipart as Part } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, invalid } from '../errors/index.ts';

/** A file of a multipart body, whole. */
interface UploadedFile {
  fileName: string;
  mediaType: string;
  bytes: Buffer;
}

/** Whether the value of a field came as a file. */
export function isFile(value: unknown): value is UploadedFile {
  return typeof value === 'object' && value !== null && 'bytes' in value && Buffer.isBuffer(value.bytes);
}

/** The one file of a field. Throws `invalid_request`. */
export function fileOf(field: string, value: unknown): UploadedFile {
  if (Array.isArray(value)) throw invalid(field, 'was given more than once.');
  if (!isFile(value)) throw invalid(field, 'must be a file: send a multipart body.');
  return value;
}

/** How many of each a form may hold; an endpoint may say others. */
export interface FormLimits {
  fields: number;
  files: number;
}

const FORM_LIMITS: FormLimits = { fields: 1000, files: 20 };

/** A field that comes again becomes a list, as `to=a&to=b` does. */
function add(body: Record<string, unknown>, name: string, value: unknown): void {
  const before = body[name];
  if (before === undefined) body[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else body[name] = [before, value];
}

function tooLarge(): AppError {
  return new AppError('too_large', 'The request body is larger than this endpoint accepts.');
}

/** The value of one part, and the bytes that it takes. */
async function readPart(part: Part): Promise<{ value: unknown; sizeBytes: number }> {
  if (part.type === 'file') {
    const bytes = await part.toBuffer();
    return {
      value: { fileName: part.filename, mediaType: part.mimetype, bytes } satisfies UploadedFile,
      sizeBytes: bytes.length,
    };
  }
  // The parser cuts a long field instead of refusing it.
  if (part.valueTruncated)
    throw new AppError('too_large', `The field ${part.fieldname} is larger than this endpoint accepts.`, {
      details: { field: part.fieldname },
    });
  return { value: part.value, sizeBytes: Buffer.byteLength(String(part.value)) };
}

function tooMany({ fields, files }: FormLimits, cause?: unknown): AppError {
  return new AppError(
    'too_large',
    `The form holds more than this endpoint accepts: ${fields} fields and ${files} files.`,
    { cause },
  );
}

/** An urlencoded form is held to the number of fields, too. */
function refuseMany(body: unknown, limits: FormLimits): void {
  if (typeof body !== 'object' || body === null) return;
  let count = 0;
  for (const value of Object.values(body)) count += Array.isArray(value) ? value.length : 1;
  if (count > limits.fields) throw tooMany(limits);
}

/** All parts together may be as large as any other body. */
async function readMultipart(
  request: FastifyRequest,
  { sizeBytesMax, form }: { sizeBytesMax: number; form: FormLimits },
): Promise<Record<string, unknown>> {
  if (Number(request.headers['content-length'] ?? 0) > sizeBytesMax) throw tooLarge();
  const body: Record<string, unknown> = {};
  const limits = {
    fileSize: sizeBytesMax,
    fieldSize: sizeBytesMax,
    fields: form.fields,
    files: form.files,
    parts: form.fields + form.files,
  };
  let left = sizeBytesMax;
  for await (const part of request.parts({ limits })) {
    const { value, sizeBytes } = await readPart(part);
    left -= sizeBytes;
    if (left < 0) throw tooLarge();
    add(body, part.fieldname, value);
  }
  return body;
}

/** The parser's own errors, of a form that breaks its syntax, carry no status. */
function malformed(error: unknown, form: FormLimits): unknown {
  if (/^FST_(FIELDS|FILES|PARTS)_LIMIT$/.test((error as { code?: string }).code ?? '')) return tooMany(form, error);
  if (error instanceof AppError || (error as { statusCode?: number }).statusCode !== undefined) return error;
  return new AppError('invalid_request', 'The body is not a well-formed multipart form.', { cause: error });
}

/** Lets every endpoint take forms as well as JSON; validation is the same. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  await app.register(formbody);
  await app.register(multipart);
  app.addHook('preValidation', async (request) => {
    const form = request.routeOptions.config.form ?? FORM_LIMITS;
    if (!request.isMultipart()) {
      if (/^application\/x-www-form-urlencoded/i.test(request.headers['content-type'] ?? ''))
        refuseMany(request.body, form);
      return;
    }
    const sizeBytesMax = request.routeOptions.bodyLimit;
    request.body = await readMultipart(request, { sizeBytesMax, form }).catch((error: unknown) => {
      throw malformed(error, form);
    });
  });
}
