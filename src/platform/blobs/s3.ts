// The same store in any S3-compatible service.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { S3Client, S3Errors } from '@bradenmacdonald/s3-lite-client';
import { AppError } from '../errors/index.ts';
import { NoAnswer, faultOf } from './faults.ts';
import { checkedKey, type Blobs } from './store.ts';

const DELETES_AT_ONCE = 16;

function clientFor(url: URL): S3Client {
  const scheme = url.searchParams.get('tls') === 'off' ? 'http' : 'https';
  return new S3Client({
    endPoint: `${scheme}://${url.host}`,
    bucket: url.pathname.slice(1),
    region: url.searchParams.get('region') ?? 'us-east-1',
    accessKey: decodeURIComponent(url.username),
    secretKey: decodeURIComponent(url.password),
    pathStyle: true,
  });
}

const TRIES = 4;
const PAUSE_MS = 50;
/** Time limit of one try; the client has none. */
const ANSWER_MS = 30_000;
const CHECK_MS = 5000;
/** The same for a file, which goes in parts of this size. */
const FILE_MS = 300_000;
const PART_BYTES = 16 * 1024 * 1024;

async function bounded<Result>(call: () => Promise<Result>, limitMs = ANSWER_MS): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new NoAnswer(`No answer within ${limitMs} ms.`)), limitMs);
  try {
    return await Promise.race([call(), promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** S3 asks callers to repeat what it answered with an internal error; a connection that broke is no other. */
async function repeated<Result>(call: () => Promise<Result>, limitMs = ANSWER_MS): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await bounded(call, limitMs);
    } catch (error) {
      const fault = faultOf(error);
      if (
        !(fault instanceof AppError) ||
        fault.code !== 'unavailable' ||
        error instanceof NoAnswer ||
        attempt === TRIES
      )
        throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** attempt));
    }
  }
}

async function found(call: Promise<Response>): Promise<Response | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof S3Errors.ServerError && error.statusCode === 404) return undefined;
    throw error;
  }
}

async function deleteBelow(client: S3Client, prefix: string): Promise<void> {
  let batch: Promise<void>[] = [];
  for await (const object of client.listObjects({ prefix: `${checkedKey(prefix)}/` })) {
    batch.push(repeated(() => client.deleteObject(object.key)));
    if (batch.length === DELETES_AT_ONCE) {
      await Promise.all(batch);
      batch = [];
    }
  }
  await Promise.all(batch);
}

/** Opens a bucket; see `openBlobs` for the form of the URL. */
export function openS3(url: URL): Blobs {
  const client = clientFor(url);
  return {
    async put(key, body, contentType) {
      await repeated(() =>
        client.putObject(checkedKey(key), new Uint8Array(body), { metadata: { 'Content-Type': contentType } }),
      );
    },
    async putFile(key, path, contentType) {
      const { size } = await stat(path);
      const options = { size, partSize: PART_BYTES, metadata: { 'Content-Type': contentType } };
      await repeated(
        () => client.putObject(checkedKey(key), Readable.toWeb(createReadStream(path)) as never, options),
        FILE_MS,
      );
    },
    async get(key) {
      return repeated(async () => {
        const response = await found(client.getObject(checkedKey(key)));
        return response && Buffer.from(await response.arrayBuffer());
      });
    },
    async stream(key) {
      const response = await found(repeated(() => client.getObject(checkedKey(key))));
      if (!response?.body) return undefined;
      return {
        body: Readable.fromWeb(response.body as never),
        sizeBytes: Number(response.headers.get('content-length') ?? 0),
      };
    },
    deleteAll: (prefix) => deleteBelow(client, prefix),
    async count(prefix) {
      let objects = 0;
      for await (const object of client.listObjects({ prefix: `${checkedKey(prefix)}/` }))
        objects += object.size >= 0 ? 1 : 0;
      return objects;
    },
    async *list() {
      for await (const { key, size, lastModified } of client.listObjects({ prefix: '' }))
        yield { key, sizeBytes: size, changedAt: lastModified };
    },
    async check() {
      try {
        const response = await bounded(() => found(client.getObject('health')), CHECK_MS);
        await response?.body?.cancel();
        return undefined;
      } catch (error) {
        const fault = faultOf(error);
        return fault instanceof AppError ? String(fault.details?.['reason']) : 'it answers with an error';
      }
    },
  };
}
