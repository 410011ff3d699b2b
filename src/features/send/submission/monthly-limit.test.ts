// The monthly limit of messages over SMTP: what would go over it waits with the program that sent it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { countMessages, DOMAIN, mailProgram, startBed, type Bed } from './submission.fixture.ts';

const LIMIT = '/v5/accounts/limit/custom/monthly';
const LETTER = { from: `ann@${DOMAIN}`, subject: 'Hello', text: 'Hello' };

let bed: Bed;
before(async () => {
  bed = await startBed();
  // The second day of a month: no test runs across its end.
  const now = bed.app.clock.now();
  bed.app.clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2) - now.getTime());
});
after(() => bed.close());

const responseOf = (program: ReturnType<typeof mailProgram>, to: string | string[]): Promise<string> =>
  program.sendMail({ ...LETTER, to }).then(
    ({ response }: { response: string }) => response,
    (error: Error & { response?: string }) => error.response ?? error.message,
  );

describe('a monthly limit', () => {
  it('takes exactly what is left of it from two connections, and answers the rest with 451', async () => {
    const { app } = bed;
    await app.call(`PUT ${LIMIT}?limit=1000`);
    const to = Array.from({ length: 994 }, (_, n) => `reader${n}@example.net`);
    assert.equal((await app.call(`POST /v3/${DOMAIN}/messages`, { body: { ...LETTER, to } })).status, 200);
    const before = await countMessages(bed);
    const programs = [1, 2].map(() => mailProgram(bed, { pool: true, maxConnections: 1 }));
    try {
      const responses = await Promise.all(
        Array.from({ length: 16 }, (_, n) => responseOf(programs[n % 2]!, `late${n}@example.net`)),
      );
      const refused = responses.filter((response) => !response.startsWith('250 '));
      assert.equal(responses.length - refused.length, 6);
      for (const response of refused)
        assert.match(
          response,
          /^451 4\.\d\.\d .*the monthly limit of 1000 messages is exceeded \(1000 were accepted this month\)/,
        );
      assert.equal((await countMessages(bed)) - before, 6);
      assert.equal((await app.call(`GET ${LIMIT}`)).body.current, 1000);
      // Each recipient is one; of a message for too many nobody gets it.
      await app.call(`PUT ${LIMIT}?limit=1002`);
      assert.match(await responseOf(programs[0]!, ['x@example.net', 'y@example.net', 'z@example.net']), /^451 /);
      assert.match(await responseOf(programs[1]!, ['x@example.net', 'y@example.net']), /^250 /);
      assert.equal((await app.call(`GET ${LIMIT}`)).body.current, 1002);
    } finally {
      for (const program of programs) program.close();
    }
  });
});
