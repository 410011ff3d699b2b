import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

/** Misnested formatting: a parser has to open every element again in every one that follows. */
const HEAVY = `<p>${'<b><i><u>x</b></i></u>'.repeat(200_000)}`;

describe('a message that takes too long to work out', () => {
  let app: App;
  before(async () => {
    app = await startApp({ GALLEY_COMPUTE_SECONDS: '1' });
  });
  after(() => app.close());

  test('is taken at once and bounces with that reason, while others are answered', async () => {
    const clients = ['gmail_chrome', 'ol2021', 'iphone16_18_dm'];
    const made = await app.call('POST /v2/preview/tests', { body: { subject: 'Heavy', html: HEAVY, clients } });
    assert.equal(made.status, 200);
    let answered = 0;
    for (let bounced: string[] = []; bounced.length < clients.length;) {
      const health = await app.call('GET /health', { key: null });
      assert.equal(health.status, 200);
      answered += 1;
      const { body } = await app.call(`GET /v2/preview/tests/${made.body.id}`);
      assert.deepEqual(body.completed, []);
      bounced = body.bounced;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.ok(answered > 10, `${answered} answers meanwhile`);
    const { body } = await app.call(`GET /v1/preview/tests/${made.body.id}/results`);
    for (const client of clients) {
      assert.equal(body[client].status_details.bounce_code, '552');
      assert.match(
        body[client].status_details.bounce_message,
        /^The message is too slow to (analyze|preview): .* more than 1 second/,
      );
    }
  });
});
