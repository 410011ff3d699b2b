import { openCertificate } from '../../../platform/certificates/index.ts';
import { messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import {
  clearIncoming,
  createSubmissionListener,
  SmtpRefusal,
  type SmtpEnvelope,
  type SmtpListener,
} from '../../../platform/mail/index.ts';
import { passingDir } from '../../../platform/passing-files/index.ts';
import { createChaos } from '../sandbox-inboxes/index.ts';
import { acceptFile, acceptMail, acceptRecipient } from './accept.ts';
import { createLogins } from './login.ts';

type Doors = Pick<
  Outside,
  'config' | 'db' | 'blobs' | 'clock' | 'secrets' | 'events' | 'compute' | 'lists' | 'log' | 'facts' | 'jobs'
>;

const SIZE_BYTES_MAX = 25 * 1024 * 1024;
/** How soon a certificate that the operator renewed is used. */
const RENEWAL_MS = 600_000;

export const isLoopback = (host: string): boolean => /^(?:127\.[\d.]+|::1|localhost)$/i.test(host);

/** Follows the operator's files. What cannot be used leaves the one in use. */
function followCertificate(outside: Doors, listeners: readonly SmtpListener[], first: string): () => void {
  let used = first;
  const look = async (): Promise<void> => {
    try {
      const { certificate } = await openCertificate(outside);
      if (certificate.cert === used) return;
      for (const listener of listeners) listener.useCertificate(certificate);
      used = certificate.cert;
      outside.log.info('the certificate of submission was renewed');
    } catch (error) {
      outside.log.error({ err: error }, 'the certificate of submission could not be renewed; the last one stays');
    }
  };
  const timer = setInterval(() => void look(), RENEWAL_MS).unref();
  return () => clearInterval(timer);
}

/** Who may send, and to whom; inboxes of the sandbox refuse on purpose where they are set to. */
function admissionOf(outside: Doors, random: () => number) {
  const logIn = createLogins(outside);
  const chaos = createChaos(outside, random);
  return {
    async authenticate(given: Parameters<typeof logIn>[0]): ReturnType<typeof logIn> {
      const login = await logIn(given);
      return login instanceof SmtpRefusal ? login : ((await chaos.login(login)) ?? login);
    },
    acceptSender: (_: string, { login }: SmtpEnvelope) => chaos.sender(login),
    accept: async (address: string, envelope: SmtpEnvelope) =>
      chaos.recipient(envelope.login) ?? acceptRecipient(address, envelope),
  };
}

/**
 * Listens on both ports. Rejects with a sentence when one cannot be had. `random` answers from 0 to below 1; inboxes
 * that refuse on purpose ask it.
 */
export async function listenForSubmission(
  outside: Doors,
  { random }: { random: () => number },
): Promise<{ about: string; close(): Promise<void> }> {
  const { config, log } = outside;
  const { host, submission } = config;
  const ways = [
    { port: submission.port, isTlsFromStart: false, setting: 'GALLEY_SUBMISSION_PORT' },
    { port: submission.tlsPort, isTlsFromStart: true, setting: 'GALLEY_SUBMISSION_TLS_PORT' },
  ].filter((way): way is typeof way & { port: number } => way.port !== undefined);
  if (ways.length === 0) return { about: 'off', close: async () => {} };
  const { certificate, isOwn } = await openCertificate(outside);
  const admission = admissionOf(outside, random);
  const incoming = passingDir(config);
  await clearIncoming(incoming);
  const listeners: SmtpListener[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(listeners.map((listener) => listener.close()));
  };
  for (const { port, isTlsFromStart, setting } of ways) {
    const listener = await createSubmissionListener({
      host,
      port,
      isTlsFromStart,
      takesPlain: isLoopback(host),
      name: config.mail.helo,
      tls: certificate,
      sizeBytesMax: SIZE_BYTES_MAX,
      ...admission,
      store: (raw, envelope) => acceptMail(outside, raw, envelope),
      large: {
        dir: incoming,
        sizeBytesMax: Math.max(submission.sandboxBytesMax, SIZE_BYTES_MAX),
        takes: ({ inboxId }) => inboxId !== undefined,
        store: (file, envelope) => acceptFile(outside, file, envelope),
      },
      log,
    }).catch(async (error: unknown) => {
      await close();
      throw new Error(
        `The listener for submission cannot use port ${port}: ${messageOf(error)}. ${setting} sets another, or off.`,
        { cause: error },
      );
    });
    listeners.push(listener);
  }
  const stop = isOwn ? () => {} : followCertificate(outside, listeners, certificate.cert);
  const places = ways.map(
    ({ isTlsFromStart }, place) => `${isTlsFromStart ? 'smtps' : 'smtp'}://${host}:${listeners[place]!.port}`,
  );
  return {
    about: `${places.join(', ')}${isOwn ? ', with a certificate that was made here' : ''}`,
    close: async () => {
      stop();
      await close();
    },
  };
}
