// A fetch that reads the files of the message's folder from disk, and everything else from the network.
import { existsSync } from 'node:fs';
import { FetchError, type Fetched, type FetchOutcome, type GuardedFetch } from '../../../platform/fetch/index.ts';
import { FOLDER_URL, isReadable, pathBeside, readBeside, type FolderFile } from '../folder-files.ts';

export interface FolderFetch extends GuardedFetch {
  /** Whether a file of the folder is meant by this relative address. */
  has(address: string): boolean;
  /** The files that were read or searched for. */
  readonly paths: ReadonlySet<string>;
}

function answered(url: string, status: number, file: FolderFile | undefined): Fetched {
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
    const path = pathBeside(folder, url);
    if (path) paths.add(path);
    const file = path === undefined ? undefined : await readBeside(folder, path);
    return answered(url, file ? 200 : 404, file);
  };
  const isBeside = (url: string): boolean => url.startsWith(FOLDER_URL);
  return {
    paths,
    has(address) {
      const url = URL.canParse(address, FOLDER_URL) ? new URL(address, FOLDER_URL).href : '';
      const path = isBeside(url) ? pathBeside(folder, url) : undefined;
      return path !== undefined && isReadable(path) && existsSync(path);
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
