import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import type { JobName } from '../../../platform/jobs/index.ts';
import { handOver, type HandOver } from './hand-over.ts';

const SendPayload = Type.Object({ token: Type.String() });
const ATTEMPTS = 30;

/** What the messages of one kind of test are queued by, wherever its job is declared. */
export function sendJobOf(kind: string): JobName<typeof SendPayload> {
  return { name: `${kind}.send`, payload: SendPayload, lane: 'mail', partOf: ({ token }) => token };
}

/** The job that sends the messages of one kind of test. */
export function sendJob(kind: string, compose: HandOver['compose']) {
  const name = sendJobOf(kind);
  return defineJob({
    ...name,
    attempts: ATTEMPTS,
    timeoutMs: 120_000,
    run(outside, { token }, turn) {
      const again: HandOver['again'] = (tx, { token: waiting, accountId }, startAfterSeconds) =>
        outside.jobs.enqueue(tx, name, { payloads: [{ token: waiting }], account: accountId, startAfterSeconds });
      return handOver(outside, token, { compose, turn, again });
    },
  });
}
