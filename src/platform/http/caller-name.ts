import type { Caller } from './contract.ts';

/** Who asked, for records: as the caller says, else by what it was let in. */
export function callerName({ requestor, principal }: Pick<Caller, 'requestor' | 'principal'>): string {
  return requestor ?? (principal.userId === undefined ? `key ${principal.keyId}` : `user ${principal.userId}`);
}
