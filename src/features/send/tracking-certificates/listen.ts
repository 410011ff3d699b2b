// Serves tracking hosts over https, each with its own certificate: what is asked there, the app answers as over HTTP.
import { messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { listenWithTls, type AnswerRequest, type HostCertificate } from '../../../platform/http/index.ts';
import { Recent } from '../../../platform/recent/index.ts';
import { purposeOf } from './issue.ts';
import { findOwnCertificate, listOwnCertificates } from './own-files.ts';
import { findServed } from './store.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'secrets' | 'clock' | 'log'>;

/** How old what is known of a host may be, and of how many. */
const KNOWN_MS = 30_000;
const KNOWN_MAX = 2000;

/** The certificate that a host is served with now; undefined: it is not served. */
async function certificateOf(outside: Doors, host: string): Promise<HostCertificate | undefined> {
  const own = await findOwnCertificate(outside, host);
  if (own) return own;
  const served = await findServed(outside.db, host, outside.clock.now());
  if (!served?.chain || !served.sealedKey) return undefined;
  return { chain: served.chain, key: outside.secrets.open(served.sealedKey, purposeOf(host)) };
}

function rememberingCertificates(outside: Doors): (host: string) => Promise<HostCertificate | undefined> {
  const known = new Recent<{ until: number; certificate: Promise<HostCertificate | undefined> }>(KNOWN_MAX);
  return (host) => {
    const now = outside.clock.now().getTime();
    const found = known.get(host);
    if (found && found.until > now) return found.certificate;
    const certificate = certificateOf(outside, host);
    known.set(host, { until: now + KNOWN_MS, certificate });
    certificate.catch(() => known.delete(host));
    return certificate;
  };
}

/** Rejects with a sentence when the port or the operator's folder cannot be used. */
export async function listenForReaders(
  outside: Doors,
  answer: AnswerRequest,
): Promise<{ about: string; close(): Promise<void> }> {
  const { config, log } = outside;
  const { port } = config.trackingTls;
  await listOwnCertificates(outside);
  if (port === undefined) return { about: 'off', close: async () => {} };
  const server = await listenWithTls({
    host: config.host,
    port,
    headersTimeoutMs: config.http.headersTimeoutMs,
    find: rememberingCertificates(outside),
    onFault: (host, error) => log.error({ host, err: error }, 'the certificate of a tracking host cannot be used'),
    answer,
  }).catch((error: unknown) => {
    throw new Error(
      `Tracking hosts cannot be served on port ${port}: ${messageOf(error)}. GALLEY_TRACKING_TLS_PORT sets another, or off.`,
      { cause: error },
    );
  });
  return { about: `https://${config.host}:${server.port}`, close: () => server.close() };
}
