import { ImapFlowErrorCode as Codes, type ImapFlowError } from 'imapflow';
import type { MailboxAccount, MailboxFailure, MailboxFailureReason } from './types.ts';

/** A failed visit; `index.ts` catches it. */
export class MailboxError extends Error {
  readonly reason: MailboxFailureReason;

  constructor(reason: MailboxFailureReason, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** What the caller's own work threw during a visit; it says nothing of the mailbox. */
export class OwnFault extends Error {
  constructor(cause: unknown) {
    super('The work of the caller failed.', { cause });
  }
}

const BY_CODE: Readonly<Record<string, MailboxFailureReason>> = {
  [Codes.CONNECT_TIMEOUT]: 'timeout',
  [Codes.GREETING_TIMEOUT]: 'timeout',
  [Codes.UPGRADE_TIMEOUT]: 'timeout',
  [Codes.ETIMEOUT]: 'timeout',
  ETIMEDOUT: 'timeout',
  [Codes.NoConnection]: 'lost',
  [Codes.EConnectionClosed]: 'lost',
  [Codes.StateLogout]: 'lost',
  [Codes.ClosedAfterConnectText]: 'lost',
  ECONNRESET: 'lost',
  EPIPE: 'lost',
  [Codes.ClosedAfterConnectTLS]: 'lost',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ENODATA: 'dns',
  ESERVFAIL: 'dns',
  [Codes.STARTTLS_INJECTION]: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
};

/** By code only: texts are the server's. */
function reasonOf(error: unknown): MailboxFailureReason {
  if (error instanceof MailboxError) return error.reason;
  const { code = '', authenticationFailed } = error as ImapFlowError;
  if (authenticationFailed) return 'login';
  if (/^(?:CERT_|ERR_TLS|ERR_SSL|EPROTO)/.test(code)) return 'tls';
  return BY_CODE[code] ?? 'protocol';
}

/** Response codes of RFC 5530 with which a refused login may work later. */
const PASSING = new Set(['UNAVAILABLE', 'LIMIT', 'INUSE', 'CONTACTADMIN']);

/** A sentence of ours: what servers say may repeat the user's name, and never helps more. */
export function failureOf(error: unknown, account: MailboxAccount, timeoutMs: number): MailboxFailure {
  const reason = reasonOf(error);
  const { host } = account;
  const messages: Record<MailboxFailureReason, string> = {
    login: `${host} refused the login: check user name and app password or token, and that IMAP is switched on.`,
    refused: `${host} refuses the connection.`,
    dns: `${host} has no address.`,
    tls: `${host} offers no trusted TLS connection.`,
    timeout: `${host} did not finish within ${timeoutMs / 1000} s.`,
    lost: `${host} closed the connection.`,
    folder: `${host} does not open the folder: it is not there, or the user may not read it.`,
    protocol: `${host} gave an answer that is not IMAP, or refused a command.`,
    aborted: 'The visit was given up.',
  };
  const isPassing =
    reason === 'login'
      ? PASSING.has((error as ImapFlowError).serverResponseCode ?? '')
      : reason !== 'tls' && reason !== 'folder';
  return { ok: false, reason, message: messages[reason], isTemporary: isPassing };
}
