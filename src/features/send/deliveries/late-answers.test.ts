// A service that is stopped while a server takes longer for its answer than the service waits. What comes of the
// delivery is known when the database is closed, and must not keep the process running: the runner fails a file whose
// process does not end.
import { it } from 'node:test';
import { liveBed } from './live.fixture.ts';

const arrived = Promise.withResolvers<void>();
const bed = liveBed({
  settings: { GALLEY_DRAIN_SECONDS: '1' },
  answer(verb) {
    if (verb !== '.') return undefined;
    arrived.resolve();
    return false;
  },
});

it('a delivery without an answer does not keep a service that stops', { timeout: 60_000 }, async () => {
  await bed.send({ to: 'bob@example.net' });
  await arrived.promise;
});
