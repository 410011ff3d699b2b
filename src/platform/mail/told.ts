// What was said on the connections of one message, for whoever wants to know how an attempt went.
import type { Talk, TlsFacts } from './delivery.ts';
import type { Lease } from './session-pool.ts';
import type { SmtpSessionError, SessionTarget } from './smtp-session.ts';
import type { Transaction } from './transaction.ts';

/** Takes note of a connection, or of a server that had none. */
export type Note = (talk: Talk) => void;

const SILENT = { isReused: false, opening: [], spoken: [], tls: null as TlsFacts | null };

/** A server that was not connected to. */
export function talkOfNone(host: string, address: string | null, end: string): Talk {
  return { ...SILENT, host, address, end };
}

/** A connection on which no message was begun. */
export function talkOfFailure({ host, address }: SessionTarget, error: SmtpSessionError): Talk {
  const { spoken: opening, connectMs, localAddress } = error;
  return {
    ...SILENT,
    host,
    address,
    opening,
    end: error.message,
    ...(connectMs !== undefined && { connectMs }),
    ...(localAddress !== undefined && { localAddress }),
  };
}

/** A connection that the message was handed over, or tried to be. */
export function talkOfLease(
  { session, isReused }: Lease,
  { host, address }: SessionTarget,
  { spoken, end }: Pick<Transaction, 'spoken'> & { end: string },
): Talk {
  const { localAddress, openingSpoken: opening, connectMs, tls } = session;
  return {
    host,
    address,
    ...(localAddress !== undefined && { localAddress }),
    isReused,
    opening,
    spoken,
    connectMs,
    tls,
    end,
  };
}
