// A door that reads what lies beside a message from disk, and everything else from the network.
import { existsSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { FetchError, type Fetched, type FetchOutcome, type GuardedFetch } from '../../../platform/fetch/index.ts';

/** Stands for the folder of a file; no such host can exist (RFC 6761 §6.2). */
export const FOLDER_URL = 'https://folder.mail.test/';
const BYTES_MAX = 15 * 1024 * 1024;
const TYPES: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.svg': 'image/svg+xml',
  '.bmp': 'image/bmp',
  '.ico': 'image/x-icon',
  '.css': 'text/css',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
};

export interface FolderFetch extends GuardedFetch {
  /** Whether a file of the folder is meant by this relative address. */
  has(address: string): boolean;
  /** The files that were read, or looked for. */
  readonly paths: ReadonlySet<string>;
}

function pathOf(folder: string, url: string): string | undefined {
  try {
    return join(folder, decodeURIComponent(new URL(url).pathname));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** A file of the folder, never one outside it, symbolic links resolved. */
async function readBeside(folder: string, wanted: string): Promise<{ type: string; body: Buffer } | undefined> {
  const type = TYPES[extname(wanted).toLowerCase()];
  const path = type && (await realpath(wanted).catch(() => undefined));
  if (!type || !path?.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return undefined;
  const facts = await stat(path);
  return facts.isFile() && facts.size <= BYTES_MAX ? { type, body: await readFile(path) } : undefined;
}

function answered(url: string, status: number, file: { type: string; body: Buffer } | undefined): Fetched {
  const headers: Record<string, string> = file
    ? { 'content-type': file.type, 'content-length': String(file.body.length) }
    : {};
  const hop = {
    url,
    method: 'GET' as const,
    status,
    headers,
    remoteAddress: '',
    isReused: false,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: 0 },
    certificate: null,
  };
  return { url, status, headers, body: file?.body ?? Buffer.alloc(0), isCut: false, hops: [hop], tookMs: 0 };
}

/** `folder` is a real path. */
export function folderFetch(fetch: GuardedFetch, folder: string): FolderFetch {
  const paths = new Set<string>();
  const beside = async (url: string): Promise<Fetched> => {
    const path = pathOf(folder, url);
    if (path) paths.add(path);
    const file = path === undefined ? undefined : await readBeside(folder, path);
    return answered(url, file ? 200 : 404, file);
  };
  const isBeside = (url: string): boolean => url.startsWith(FOLDER_URL);
  return {
    paths,
    has(address) {
      const url = URL.canParse(address, FOLDER_URL) ? new URL(address, FOLDER_URL).href : '';
      const path = isBeside(url) ? pathOf(folder, url) : undefined;
      return path !== undefined && extname(path).toLowerCase() in TYPES && existsSync(path);
    },
    async request(url, options): Promise<FetchOutcome> {
      if (!isBeside(url)) return fetch.request(url, options);
      const answer = await beside(url);
      if (options?.sizeBytesMax !== undefined && answer.body.length > options.sizeBytesMax)
        return {
          ok: false,
          reason: 'too_large',
          error: new FetchError('too_large', `${url} is too large.`),
          url,
          hops: answer.hops,
          tookMs: 0,
        };
      return { ok: true, ...answer };
    },
    get: (url, options) => (isBeside(url) ? beside(url) : fetch.get(url, options)),
    close: () => {},
  };
}
