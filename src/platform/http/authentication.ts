// Authenticates requests, checks what their keys may do, and limits how many they send.
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/index.ts';
import { headerOf } from './aliases.ts';
import type { Contract, Principal } from './contract.ts';
import type { Limits } from './limits.ts';
import type { Product } from './products.ts';
import { mayCall, refusalOf } from './roles.ts';

export const SESSION_COOKIE = 'galley_session';

/** What a caller shows to prove who it is. */
interface Credentials {
  kind: 'basic' | 'session';
  secret: string;
  /** The account to act for, when the caller names one. */
  accountId: string | undefined;
  /** Where the request comes from. */
  address: string;
}

/** Throws `unauthorized` or `forbidden`. */
export type Authenticate = (credentials: Credentials) => Promise<Principal>;

/** Throws `forbidden` where the account has the product switched off. */
export type RequireProduct = (accountId: string, product: Product) => Promise<void>;

const isChange = ({ method }: FastifyRequest): boolean => !['GET', 'HEAD'].includes(method);

/** A browser says where a request comes from; a page of another site cannot make it lie. */
function isFromOwnPages(request: FastifyRequest, publicUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  // What the browser itself calls `same-site` may be a neighbor below the same domain.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined) return site === 'same-origin';
  if (!URL.canParse(origin)) return false;
  const hosts = [request.headers.host, request.host, publicUrl && new URL(publicUrl).host];
  return hosts.includes(new URL(origin).host);
}

/** Whether a browser says that the request comes from a page of another site. */
function isFromElsewhere(request: FastifyRequest, publicUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  return (origin !== undefined || site !== undefined) && !isFromOwnPages(request, publicUrl);
}

function credentialsOf(request: FastifyRequest, contract: Contract, publicUrl: string): Credentials {
  const named = headerOf(request.headers, 'x-service-account-id');
  const accountId = contract.namesAccount ? undefined : named;
  const [scheme, encoded] = (request.headers.authorization ?? '').split(' ', 2);
  if (scheme?.toLowerCase() === 'basic' && encoded) {
    const [user, ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
    if (user !== 'api') throw new AppError('unauthorized', 'Invalid private key');
    return { kind: 'basic', secret: rest.join(':'), accountId, address: request.ip };
  }
  const session = request.cookies[SESSION_COOKIE];
  if (!session) throw new AppError('unauthorized', 'Invalid private key');
  if (isChange(request) && !isFromOwnPages(request, publicUrl)) throw anotherSite();
  return { kind: 'session', secret: session, accountId, address: request.ip };
}

function anotherSite(): AppError {
  return new AppError('forbidden', 'This request comes from another site.');
}

/** Throws `forbidden` where the role, the domain of the key or what the account has switched off does not allow it. */
async function authorize(
  { role, domainName, accountId }: Principal,
  contract: Contract,
  requireProduct: RequireProduct,
): Promise<void> {
  if (!mayCall(role, contract)) throw new AppError('forbidden', refusalOf(role, contract));
  if (domainName !== null && contract.access !== 'sending')
    throw new AppError('forbidden', `This key is for the domain ${domainName}: it may only send its messages.`);
  if (contract.product !== undefined) await requireProduct(accountId, contract.product);
}

export interface Gatekeeper {
  /**
   * Before the body is read. Undefined where no key is asked for. Throws `unauthorized`, `forbidden` or
   * `too_many_requests`.
   */
  admit(request: FastifyRequest, contract: Contract): Promise<Principal | undefined>;
  /** Whether who was let in would be let in again, for the same account. Counts towards no limit. */
  isStillAdmitted(request: FastifyRequest, contract: Contract): Promise<boolean>;
  /** An endpoint without a key has failed. */
  noteFailure(request: FastifyRequest, contract: Contract, error: unknown): void;
}

/** An endpoint that asks for no key, yet may answer that one is wrong: a secret stands in its body. */
const takesSecret = ({ access, errors }: Contract): boolean =>
  access === 'none' && errors !== undefined && errors.includes('unauthorized');

const isUnauthorized = (error: unknown): boolean => error instanceof AppError && error.code === 'unauthorized';

/** Admits or refuses requests, before any endpoint sees them. */
export function createGatekeeper({
  authenticate,
  requireProduct,
  limits,
  publicUrl,
}: {
  authenticate: Authenticate;
  requireProduct: RequireProduct;
  limits: Limits;
  publicUrl: string;
}): Gatekeeper {
  const prove = async (request: FastifyRequest, contract: Contract): Promise<Principal> => {
    const credentials = credentialsOf(request, contract, publicUrl);
    const { ip } = request;
    limits.admitSecret(ip, credentials.secret);
    try {
      const principal = await authenticate(credentials);
      limits.noteRight(ip, credentials.secret);
      return principal;
    } catch (error) {
      if (isUnauthorized(error)) limits.noteWrong(ip, credentials.secret);
      throw error;
    }
  };
  /** Signing in and signing out change what the browser may do, though they ask for no cookie. */
  const admitOpenly = (request: FastifyRequest, contract: Contract): void => {
    const isByCookie = !takesSecret(contract) && request.cookies[SESSION_COOKIE] !== undefined;
    if (isChange(request) && (isByCookie ? !isFromOwnPages(request, publicUrl) : isFromElsewhere(request, publicUrl)))
      throw anotherSite();
    const isJson = /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '');
    if (contract.isJsonOnly && !isJson)
      throw new AppError('unsupported_media_type', 'Send the body as application/json.');
    if (takesSecret(contract)) limits.admitSecret(request.ip, undefined);
  };
  return {
    async admit(request, contract) {
      if (contract.access === 'none') {
        admitOpenly(request, contract);
        return undefined;
      }
      const principal = await prove(request, contract);
      limits.admitRequest(principal);
      await authorize(principal, contract, requireProduct);
      return principal;
    },
    async isStillAdmitted(request, contract) {
      if (contract.access === 'none') return true;
      try {
        const principal = await authenticate(credentialsOf(request, contract, publicUrl));
        await authorize(principal, contract, requireProduct);
        return principal.accountId === request.principal?.accountId;
      } catch (error) {
        if (error instanceof AppError && (error.code === 'unauthorized' || error.code === 'forbidden')) return false;
        throw error;
      }
    },
    noteFailure(request, contract, error) {
      if (takesSecret(contract) && isUnauthorized(error)) limits.noteWrong(request.ip);
    },
  };
}
