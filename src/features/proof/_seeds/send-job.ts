import { Type, type Static } from 'typebox';
import { defineJob, type JobTurn, type Outside } from '../../../platform/feature/index.ts';
import { handOver, type HandOver } from './hand-over.ts';

const SendPayload = Type.Object({ token: Type.String() });
const ATTEMPTS = 30;

function declare(
  kind: string,
  run: (outside: Outside, payload: Static<typeof SendPayload>, turn: JobTurn) => Promise<void>,
) {
  return defineJob({
    name: `${kind}.send`,
    payload: SendPayload,
    lane: 'mail',
    partOf: ({ token }) => token,
    attempts: ATTEMPTS,
    timeoutMs: 120_000,
    run,
  });
}

/** The job that sends the messages of one kind of test. */
export function sendJob(kind: string, compose: HandOver['compose']) {
  return declare(kind, (outside, { token }, turn) => {
    const again: HandOver['again'] = (tx, { token: waiting, accountId }, startAfterSeconds) =>
      outside.jobs.enqueue(tx, sendJobNamed(kind), {
        payloads: [{ token: waiting }],
        account: accountId,
        startAfterSeconds,
      });
    return handOver(outside, token, { compose, turn, again });
  });
}

/** To queue by: only the name counts. */
export function sendJobNamed(kind: string) {
  return declare(kind, async () => {
    throw new Error('This job runs where its kind is declared.');
  });
}
