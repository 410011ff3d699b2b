// A listener for submission (RFC 6409, RFC 4954): programs log in, and what they send is accepted for anybody. It is
// the listener of smtp-in with what logging in changes.
import type { SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import { AppError } from '../errors/index.ts';
import {
  createSmtpListener,
  SmtpRefusal,
  type Certificate,
  type SMTPConnection,
  type SmtpLimits,
  type SmtpListener,
  type SmtpListenerOptions,
  type SmtpLogin,
} from './smtp-in.ts';

interface SubmissionOptions extends Omit<SmtpListenerOptions, 'submission' | 'tls' | 'limits'> {
  tls: Certificate;
  /** TLS from the first byte, in place of STARTTLS. */
  isTlsFromStart: boolean;
  /** Whether passwords are taken on a connection that is not encrypted. */
  takesPlain: boolean;
  /** Who this is. A refusal is answered as it is. */
  authenticate(given: { name: string; password: string; remoteAddress: string }): Promise<SmtpLogin | SmtpRefusal>;
  limits?: Partial<SmtpLimits & SubmissionLimits>;
}

interface SubmissionLimits {
  /** Connections of one account, logged in. */
  sessionsPerAccountMax: number;
  /** How long a connection may take to log in. */
  loginTimeoutMs: number;
  /** After so many refused logins the connection is closed. */
  failuresMax: number;
}

const LIMITS: SubmissionLimits & Pick<SmtpLimits, 'connectionsMax' | 'recipientsMax'> = {
  connectionsMax: 500,
  recipientsMax: 1000,
  sessionsPerAccountMax: 40,
  loginTimeoutMs: 30_000,
  failuresMax: 5,
};

/** What the connections of one listener have in common. */
class Sessions {
  readonly #limits: SubmissionLimits;
  readonly #perAccount = new Map<string, number>();
  readonly #accountOf = new Map<string, string>();
  readonly #failures = new Map<string, number>();
  readonly #deadlines = new Map<string, NodeJS.Timeout>();

  constructor(limits: SubmissionLimits) {
    this.#limits = limits;
  }

  opened(connection: SMTPConnection): void {
    const { id } = connection.session;
    const { loginTimeoutMs } = this.#limits;
    const late = (): void => {
      if (connection.session.user) return;
      connection.send(421, `4.7.0 Nobody logged in within ${loginTimeoutMs / 1000} seconds`);
    };
    this.#deadlines.set(id, setTimeout(late, loginTimeoutMs).unref());
  }

  /** Undefined: it may go on. */
  refuseOther(id: string, accountId: string): SmtpRefusal | undefined {
    const count = this.#perAccount.get(accountId) ?? 0;
    const max = this.#limits.sessionsPerAccountMax;
    if (count >= max)
      return new SmtpRefusal(421, `4.7.0 This account has ${max} connections, as many as it may have; use those`);
    this.#perAccount.set(accountId, count + 1);
    this.#accountOf.set(id, accountId);
    return undefined;
  }

  /** The refusal as it is, but the one that ends the connection. */
  failed(id: string, refusal: SmtpRefusal): SmtpRefusal {
    const count = (this.#failures.get(id) ?? 0) + 1;
    this.#failures.set(id, count);
    return count < this.#limits.failuresMax
      ? refusal
      : new SmtpRefusal(421, `4.7.0 ${count} logins failed on this connection; the last: ${refusal.message}`);
  }

  closed(id: string): void {
    clearTimeout(this.#deadlines.get(id));
    this.#deadlines.delete(id);
    this.#failures.delete(id);
    const account = this.#accountOf.get(id);
    if (account === undefined) return;
    this.#accountOf.delete(id);
    const left = (this.#perAccount.get(account) ?? 0) - 1;
    if (left > 0) this.#perAccount.set(account, left);
    else this.#perAccount.delete(account);
  }
}

/** AUTH is offered only where it is taken (RFC 4954 §4); the library names it always. */
function hideAuth(connection: SMTPConnection): void {
  const send = connection.send.bind(connection) as (code: number, data?: unknown, context?: unknown) => void;
  connection.send = (code: number, data?: unknown, context?: unknown) =>
    send(
      code,
      Array.isArray(data) && !connection.session.secure
        ? data.filter((line) => !String(line).startsWith('AUTH '))
        : data,
      context,
    );
}

type Given = Partial<Record<'username' | 'password', string | null>>;

async function logIn(
  { authenticate, log }: SubmissionOptions,
  sessions: Sessions,
  { given, session }: { given: Given; session: SMTPServerSession },
): Promise<SmtpLogin | SmtpRefusal> {
  const { id, remoteAddress } = session;
  try {
    const answer = await authenticate({
      name: given.username ?? '',
      password: given.password ?? '',
      remoteAddress,
    });
    if (answer instanceof SmtpRefusal) return answer.isOnPurpose ? answer : sessions.failed(id, answer);
    return sessions.refuseOther(id, answer.accountId) ?? answer;
  } catch (error) {
    if (!(error instanceof AppError)) log.error({ err: error }, 'a login could not be checked');
    const why = error instanceof AppError ? error.message : 'the service failed; try again later';
    return new SmtpRefusal(454, `4.7.0 The login could not be checked: ${why}`);
  }
}

function serverOptions(options: SubmissionOptions, sessions: Sessions): SMTPServerOptions {
  const { isTlsFromStart, takesPlain } = options;
  return {
    secure: isTlsFromStart,
    authMethods: ['PLAIN', 'LOGIN'],
    authOptional: false,
    authRequiredMessage: '5.7.0 Log in first (AUTH PLAIN or AUTH LOGIN), on an encrypted connection',
    allowInsecureAuth: takesPlain,
    disabledCommands: isTlsFromStart ? ['STARTTLS'] : [],
    onAuth: (given, session, done) =>
      void logIn(options, sessions, { given, session }).then((answer) =>
        answer instanceof SmtpRefusal ? done(answer) : done(null, { user: answer }),
      ),
  };
}

/** Starts listening for programs that log in. Rejects when the port cannot be had. */
export function createSubmissionListener(options: SubmissionOptions): Promise<SmtpListener> {
  const limits = { ...LIMITS, ...options.limits };
  const sessions = new Sessions(limits);
  return createSmtpListener({
    ...options,
    limits,
    submission: {
      server: serverOptions(options, sessions),
      onConnection(connection) {
        sessions.opened(connection);
        if (!options.takesPlain) hideAuth(connection);
      },
      onClose: (id) => sessions.closed(id),
    },
  });
}
