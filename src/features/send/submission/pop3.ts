// Mail programs read the inboxes of the sandbox by POP3, with the login that programs send to them with.
import { openCertificate } from '../../../platform/certificates/index.ts';
import { AppError, messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { createPopListener, SmtpRefusal, type PopMailbox } from '../../../platform/mail/index.ts';
import { isInboxLogin, openInbox } from '../sandbox-inboxes/index.ts';
import { isLoopback } from './listen.ts';
import { createLogins } from './login.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'blobs' | 'clock' | 'secrets' | 'log' | 'jobs'>;

/** Without the codes of SMTP. */
const wordsOf = ({ message }: SmtpRefusal): string => message.replace(/^\d\.\d\.\d+ /, '');

function logins(outside: Doors) {
  const authenticate = createLogins(outside);
  return async (given: { name: string; password: string; remoteAddress: string }): Promise<PopMailbox | string> => {
    if (!isInboxLogin(given.name.toLowerCase())) return 'only inboxes of the sandbox are read here';
    try {
      const login = await authenticate(given);
      if (login instanceof SmtpRefusal) return wordsOf(login);
      return await openInbox(outside, { id: login.inboxId as string, accountId: login.accountId });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return error.message;
    }
  };
}

/** Listens where `GALLEY_POP3_PORT` names a port. Rejects with a sentence when it cannot be had. */
export async function listenForPop3(outside: Doors): Promise<{ about: string; close(): Promise<void> }> {
  const { config, log } = outside;
  const { host, submission } = config;
  const { pop3Port: port } = submission;
  if (port === undefined) return { about: 'off', close: async () => {} };
  const { certificate } = await openCertificate(outside);
  const listener = await createPopListener({
    host,
    port,
    tls: certificate,
    takesPlain: isLoopback(host),
    logIn: logins(outside),
    log,
  }).catch((error: unknown) => {
    throw new Error(
      `The listener for POP3 cannot use port ${port}: ${messageOf(error)}. GALLEY_POP3_PORT sets another, or off.`,
      { cause: error },
    );
  });
  return { about: `pop3://${host}:${listener.port}, for inboxes of the sandbox`, close: () => listener.close() };
}
