// How much a caller may ask: requests of one key and of one account, and wrong keys from one address. Each process
// counts for itself.
import { createHash } from 'node:crypto';
import { AppError } from '../errors/index.ts';
import { networkOf } from '../fetch/index.ts';
import { Buckets, Recent } from '../recent/index.ts';
import type { Principal } from './contract.ts';

export interface LimitOptions {
  /** Requests within a minute; 0 means no limit. */
  keyPerMinute: number;
  accountPerMinute: number;
  /** Wrong keys from one address; 0 means no limit. */
  wrongKeysPerMinute: number;
  /** A clock in milliseconds that never goes back. */
  now(): number;
}

const CALLERS_MAX = 10_000;

function tooMany(message: string, seconds: number): AppError {
  return new AppError(
    'too_many_requests',
    `${message} Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}

export interface Limits {
  /** To call before a secret is checked. Throws `too_many_requests` after too many wrong ones from its address. */
  admitSecret(address: string, secret: string | undefined): void;
  noteRight(address: string, secret: string): void;
  noteWrong(address: string, secret?: string): void;
  /** Counts a request. Throws `too_many_requests`. */
  admitRequest(principal: Principal): void;
}

/** Counts requests in memory, for a bounded number of callers. */
export function createLimits({ keyPerMinute, accountPerMinute, wrongKeysPerMinute, now }: LimitOptions): Limits {
  const ofKey = new Buckets(keyPerMinute, now);
  const ofAccount = new Buckets(accountPerMinute, now);
  const wrong = new Buckets(wrongKeysPerMinute, now);
  const right = new Recent<true>(CALLERS_MAX);
  const nameOf = (address: string, secret: string): string =>
    `${networkOf(address)} ${createHash('sha256').update(secret).digest('base64')}`;
  return {
    admitSecret(address, secret) {
      const seconds = wrong.waitSeconds(networkOf(address));
      // A neighbor's wrong keys do not stop a key that was right from here before.
      if (seconds === 0 || (secret !== undefined && right.get(nameOf(address, secret)))) return;
      throw tooMany(`More than ${wrongKeysPerMinute} wrong keys came from this address within a minute.`, seconds);
    },
    noteRight(address, secret) {
      if (wrongKeysPerMinute > 0) right.set(nameOf(address, secret), true);
    },
    noteWrong(address, secret) {
      wrong.spend(networkOf(address));
      if (secret !== undefined) right.delete(nameOf(address, secret));
    },
    admitRequest({ keyId, userId, accountId }) {
      const caller = keyId ?? `user ${userId}`;
      const forKey = ofKey.waitSeconds(caller);
      if (forKey > 0) throw tooMany(`This key sent more than ${keyPerMinute} requests within a minute.`, forKey);
      const forAccount = ofAccount.waitSeconds(accountId);
      if (forAccount > 0)
        throw tooMany(
          `The keys of this account sent more than ${accountPerMinute} requests within a minute.`,
          forAccount,
        );
      ofKey.spend(caller);
      ofAccount.spend(accountId);
    },
  };
}
