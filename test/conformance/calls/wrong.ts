// The wrong calls that many operations share.
import type { Bed, Request, Wrong } from '../bed.ts';

/** Has the form of an id, and is none. */
const UNKNOWN = '000000000000000000000000';

/** The thing named by this part of the path does not exist. */
export const unknown =
  (name: string, rest: Request = {}) =>
  (): Wrong => ({ ...rest, path: { ...rest.path, [name]: UNKNOWN }, status: 404 });

/** Where nothing else can be wrong: there is no key. */
export const withoutKey =
  (request: Request = {}) =>
  (): Wrong => ({ ...request, isOpen: true, status: 401 });

/** Refused as an invalid request. */
export const invalid =
  (request: Request | ((bed: Bed) => Request | Promise<Request>)) =>
  async (bed: Bed): Promise<Wrong> => ({
    ...(typeof request === 'function' ? await request(bed) : request),
    status: 400,
  });
