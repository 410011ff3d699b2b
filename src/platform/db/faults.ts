// Which faults of the database pass by themselves, and what they are called. Everything else is a fault of the
// statement.
import pg from 'pg';
import { AppError, outOfSpace, unavailable } from '../errors/index.ts';

/** A connection did not come about, or broke: says nothing about the statement, which may or may not have run. */
export class ConnectionFault extends Error {}

const DISK_FULL = '53100';
/** `max_connections` of the server, or of the role. */
const TOO_MANY_CONNECTIONS = new Set(['53300', '53400']);
/** PostgreSQL, appendix A. Class 08 and class 57 (57014 aside) are about the connection. */
const AWAY: Record<string, string> = {
  '25006': 'it takes no changes (it is a standby)',
  '28000': 'it refuses the login',
  '28P01': 'it refuses the login',
  '3D000': 'it has no such database',
  '57P01': 'it is being stopped',
  '57P02': 'it was stopped',
  '57P03': 'it is starting',
  '57P04': 'it has no such database',
  '57P05': 'it ended the connection',
  '58030': 'it cannot read or write its files',
};
/** Two transactions were in each other's way, or memory was short: the same request will do later. */
const BUSY: Record<string, string> = {
  '40001': 'another change came in between',
  '40P01': 'another change came in between',
  '53000': 'it is overloaded',
  '53200': 'it is out of memory',
  '53300': 'it has no connection left',
  '53400': 'it has no connection left',
  '55P03': 'another change came in between',
  '57014': 'it took too long',
};
const NETWORK: Record<string, string> = {
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
};

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? '';
}

export function isTooManyConnections(error: unknown): boolean {
  return error instanceof pg.DatabaseError && TOO_MANY_CONNECTIONS.has(codeOf(error));
}

/** True when the server says that the connection, or the whole server, is of no use any more. */
export function isGone(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (codeOf(error).startsWith('08') || codeOf(error) in AWAY);
}

export function isStarting(error: unknown): boolean {
  return error instanceof pg.DatabaseError && codeOf(error) === '57P03';
}

/** Why the database is away, in words for everybody: no address, no name, no password. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof ConnectionFault ? error.cause : error;
  return AWAY[codeOf(cause)] ?? NETWORK[codeOf(cause)] ?? 'the connection broke';
}

/** The error for the caller: a fault that passes becomes an AppError, any other stays as it is. */
export function faultOf(error: unknown): unknown {
  if (error instanceof ConnectionFault || isGone(error)) return unavailable('database', reasonOf(error), error);
  if (!(error instanceof pg.DatabaseError)) return error;
  if (codeOf(error) === DISK_FULL) return outOfSpace('database', error);
  const busy = BUSY[codeOf(error)];
  return busy === undefined ? error : unavailable('database', busy, error);
}

/** The pool has no connection to give. */
export function busy(): AppError {
  return unavailable('database', 'all connections to it are in use');
}
