import { X509Certificate, createPrivateKey } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { requestCertificate } from '../certificates/index.ts';
import type { GuardedFetch } from '../fetch/index.ts';
import { openAccountKey } from './account-key.ts';
import { AcmeError, describeProblem, openConversation, type AcmeReply, type Conversation } from './conversation.ts';

interface Wanted {
  fetch: Pick<GuardedFetch, 'request'>;
  directoryUrl: string;
  /** Of the account at the authority, PEM; the account is made when it is missing, and its terms are agreed to. */
  accountKey: string;
  contact: string | undefined;
  host: string;
  /** Lets the host answer at `/.well-known/acme-challenge/<token>` (RFC 8555 §8.3). */
  present(token: string, authorization: string): Promise<void>;
  now: () => number;
  signal: AbortSignal;
}

interface Issued {
  /** PEM: the host's certificate, then those that signed it. */
  chain: string;
  /** PKCS #8, PEM. */
  key: string;
}

/** How often an authority is asked how far it is, and how long is waited in between where it does not say. */
const LOOKS_MAX = 30;
const LOOK_MS = { default: 2000, min: 500, max: 10_000 };
const CERTIFICATES_MAX = 10;

/** Asks until the state is none of those that pass. */
async function settled(
  talk: Conversation,
  { url, first, signal }: { url: string; first?: AcmeReply; signal: AbortSignal },
): Promise<Record<string, unknown>> {
  let reply = first ?? (await talk.post(url));
  for (let look = 1; ['pending', 'processing'].includes(String(reply.json['status'])); look += 1) {
    if (look > LOOKS_MAX) throw new AcmeError(`The authority did not decide: it is still ${reply.json['status']}.`);
    const { default: unless, min, max } = LOOK_MS;
    await pause(Math.min(Math.max(reply.retryMs ?? unless, min), max), undefined, { signal });
    reply = await talk.post(url);
  }
  return reply.json;
}

/** Shows that the host is served here. */
async function authorize(talk: Conversation, url: string, wanted: Wanted): Promise<void> {
  const { json } = await talk.post(url);
  if (json['status'] === 'valid') return;
  const offered = (Array.isArray(json['challenges']) ? json['challenges'] : []) as Record<string, unknown>[];
  const challenge = offered.find(({ type }) => type === 'http-01');
  const { token, url: place } = challenge ?? {};
  if (typeof token !== 'string' || typeof place !== 'string' || !/^[\w-]{1,200}$/.test(token))
    throw new AcmeError('The authority offers no challenge over HTTP (http-01).');
  await wanted.present(token, openAccountKey(wanted.accountKey).authorizationOf(token));
  await talk.post(place, {});
  const decided = await settled(talk, { url, signal: wanted.signal });
  if (decided['status'] === 'valid') return;
  const failed = (Array.isArray(decided['challenges']) ? decided['challenges'] : []) as Record<string, unknown>[];
  const problem = failed.find(({ error }) => error)?.['error'];
  throw new AcmeError(`The authority could not check ${wanted.host}: ${describeProblem(problem)}`);
}

/** Throws {@link AcmeError} where what came is no certificate of this key for this host that is valid now. */
function checkChain(chain: string, { key, host, now }: { key: string; host: string; now: number }): void {
  const parts = chain.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (parts.length === 0 || parts.length > CERTIFICATES_MAX)
    throw new AcmeError('The authority answered with something that is no certificate.');
  let first: X509Certificate;
  try {
    first = new X509Certificate(parts[0] as string);
  } catch (cause) {
    throw new AcmeError('The authority answered with a certificate that cannot be read.', { cause });
  }
  if (!first.checkPrivateKey(createPrivateKey(key)) || first.checkHost(host) === undefined)
    throw new AcmeError(`The authority answered with a certificate that is not for ${host}.`);
  if (first.validToDate.getTime() <= now) throw new AcmeError('The authority answered with an expired certificate.');
}

/**
 * Has a certificate issued for one host. Throws {@link AcmeError} with the authority's own words, and the signal's reason.
 */
export async function issueCertificate(wanted: Wanted): Promise<Issued> {
  const { host, signal, contact } = wanted;
  const key = openAccountKey(wanted.accountKey);
  const talk = await openConversation({ ...wanted, key });
  const account = await talk.post(talk.placeOf('newAccount'), {
    termsOfServiceAgreed: true,
    ...(contact !== undefined && { contact: [`mailto:${contact}`] }),
  });
  if (account.location === undefined) throw new AcmeError('The authority did not say which account it made.');
  talk.useAccount(account.location);
  const ordered = await talk.post(talk.placeOf('newOrder'), { identifiers: [{ type: 'dns', value: host }] });
  const { authorizations, finalize } = ordered.json;
  const { location: order } = ordered;
  if (order === undefined || typeof finalize !== 'string' || !Array.isArray(authorizations))
    throw new AcmeError('The authority took the order and did not say where it stands.');
  for (const url of authorizations.slice(0, CERTIFICATES_MAX)) await authorize(talk, String(url), wanted);
  const ready = await settled(talk, { url: order, signal });
  if (ready['status'] === 'invalid') throw new AcmeError(`The order failed: ${describeProblem(ready['error'])}`);
  const { key: ownKey, request } = requestCertificate(host);
  const first = await talk.post(finalize, { csr: request.toString('base64url') });
  const done = await settled(talk, { url: order, first, signal });
  if (done['status'] !== 'valid' || typeof done['certificate'] !== 'string')
    throw new AcmeError(`The authority issued no certificate: ${describeProblem(done['error'])}`);
  const chain = (await talk.post(done['certificate'])).text;
  checkChain(chain, { key: ownKey, host, now: wanted.now() });
  return { chain, key: ownKey };
}
