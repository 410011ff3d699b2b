// The faults of an object store, as errors for callers.
import { S3Errors } from '@bradenmacdonald/s3-lite-client';
import { AppError, outOfSpace, unavailable } from '../errors/index.ts';

/** A store that said nothing for too long. */
export class NoAnswer extends Error {}

const FULL = new Set(['ENOSPC', 'EDQUOT']);
/** What S3-compatible stores say when they are full; AWS never is. */
const FULL_S3 = new Set([
  'XMinioStorageFull',
  'QuotaExceeded',
  'XMinioAdminBucketQuotaExceeded',
  'InsufficientStorage',
]);
const REASONS: Record<string, string> = {
  EACCES: 'its directory may not be written to',
  EPERM: 'its directory may not be written to',
  EROFS: 'its disk is read-only',
  EIO: 'its disk has errors',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ESTALE: 'its disk is away',
  ENOTDIR: 'its directory is a file',
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  UND_ERR_HEADERS_TIMEOUT: 'it does not answer',
  UND_ERR_BODY_TIMEOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
};
const INSUFFICIENT_STORAGE = 507;

function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: string; cause?: unknown };
  return code ?? (cause ? codeOf(cause) : '');
}

function serverReason({ statusCode, code }: S3Errors.ServerError): string | undefined {
  if (statusCode === 401 || statusCode === 403) return 'it refuses the access key';
  if (code === 'NoSuchBucket') return 'it has no such bucket';
  return statusCode >= 500 || statusCode === 429 ? `it answers with ${statusCode}` : undefined;
}

/** A fault that passes, or that the operator mends, becomes an AppError; any other stays as it is. */
export function faultOf(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (error instanceof NoAnswer) return unavailable('objects', 'it does not answer', error);
  if (error instanceof S3Errors.ServerError) {
    if (error.statusCode === INSUFFICIENT_STORAGE || FULL_S3.has(error.code)) return outOfSpace('objects', error);
    const reason = serverReason(error);
    return reason === undefined ? error : unavailable('objects', reason, error);
  }
  if (FULL.has(codeOf(error))) return outOfSpace('objects', error);
  const reason = reasonOf(error);
  return reason === undefined ? error : unavailable('objects', reason, error);
}

/** What the system or the network says, in words; undefined when it is none of theirs. */
export function reasonOf(error: unknown): string | undefined {
  return REASONS[codeOf(error)];
}
