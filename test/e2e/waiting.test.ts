// Everything waits for hours before a worker comes: no time that is meant for work is counted from its creation.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sweepOnce } from '../../src/features/proof/_seeds/jobs.ts';
import { startApp, type App } from '../harness/start-app.ts';

const HOURS_MS = 6 * 3_600_000;
let app: App;

before(async () => {
  // Its workers are started when everything waits.
  app = await startApp({ GALLEY_ROLES: 'api,mail', GALLEY_SMTP_DOMAIN: 'galley.test' });
});
after(() => app.close());

async function until<Body>(operation: string, isDone: (body: Body) => boolean): Promise<Body> {
  for (;;) {
    const { status, body } = await app.call(operation);
    assert.equal(status, 200, JSON.stringify(body));
    if (isDone(body)) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const CLIENTS = ['gmail_chrome'];

describe('what waits for hours', () => {
  it('is made, sent and zipped like anything else; what no process survived ends with that reason', async () => {
    const { outside } = app.galley;
    const { body: preview } = await app.call('POST /v2/preview/tests', {
      body: { subject: 'Waits', html: '<h1>Waits</h1>', clients: CLIENTS },
    });
    const { body: made } = await app.call(`POST /v2/preview/tests/${preview.id}/exports`, {
      body: { clients: CLIENTS },
    });
    const refused = await app.call('POST /v4/inbox/tests', {
      body: { from: 'a@elsewhere.example', subject: 'x', html: 'x' },
    });
    const from = `news@${/sandbox\w+\.galley\.test/.exec(refused.body.message)?.[0]}`;
    const order = {
      from,
      subject: 'Waits',
      html: '<p>The roses have begun to flower.</p>',
      provider_filter: ['gateway.local-receiver.example'],
      seeds_per_provider: 1,
      deadline_minutes: 5,
    };
    const placement = await app.call('POST /v4/inbox/tests', { body: order });
    assert.equal(placement.status, 200, JSON.stringify(placement.body));
    const killer = await app.call('POST /v1/inspect/accessibility', { body: { html: '<p>Hello</p>' } });
    await outside.db.text(`update jobs set losses = 30 where name = 'accessibility.inspect'`);

    app.clock.advance(HOURS_MS);
    await sweepOnce(outside);
    await outside.jobs.work();
    const exported = await until<any>(
      `GET /v2/preview/tests/${preview.id}/exports/${made.job_id}`,
      ({ job_status: status }) => status !== 'Processing',
    );
    assert.deepEqual([exported.job_status, exported.failed_clients], ['Complete', []]);
    const { result } = await until<any>(
      `GET /v4/inbox/results/${placement.body.result_id}`,
      ({ result: found }) => found.status === 'complete',
    );
    const [seed] = result.seed_results;
    assert.deepEqual([seed.state, seed.attempts], ['delivered', 1]);
    const { meta } = await until<any>(
      `GET /v1/inspect/accessibility/${killer.body.items.id}`,
      (body) => body.meta.status !== 'Processing',
    );
    assert.deepEqual(
      [meta.status, meta.error],
      ['Failed', 'The service was cut off 30 times while it worked on this.'],
    );
  });
});
