import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

/** Misnested formatting: a parser has to open every element again in every one that follows. */
const HEAVY = `<p>${'<b><i><u>x</b></i></u>'.repeat(180_000)}`;
const ENDPOINTS = [
  ['code analysis', '/v1/inspect/analyze', '/v1/inspect/analyze'],
  ['links', '/v1/inspect/links/html-validate', '/v1/inspect/links'],
  ['images', '/v1/inspect/images/html-validate', '/v1/inspect/images'],
  ['accessibility', '/v1/inspect/accessibility', '/v1/inspect/accessibility'],
] as const;

async function ended(app: App, path: string): Promise<{ status: string; error?: string }> {
  for (;;) {
    const { body } = await app.call(`GET ${path}`);
    if (body.meta.status !== 'Processing') return body.meta;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

for (const [bound, settings, sentence] of [
  [
    'time',
    { GALLEY_COMPUTE_SECONDS: '1' },
    'The message is too slow to analyze: it took more than 1 second of computing.',
  ],
  [
    'memory',
    { GALLEY_COMPUTE_MEMORY_MIB: '128' },
    'The message is too large to analyze: it took more than 128 MB of memory.',
  ],
] as const) {
  describe(`a message that takes more ${bound} than an analysis may`, () => {
    let app: App;
    before(async () => {
      app = await startApp(settings);
    });
    after(() => app.close());

    for (const [name, path, shown] of bound === 'time' ? ENDPOINTS : ENDPOINTS.slice(0, 2)) {
      test(`${name}: taken at once, ended as failed with that reason, and others go on`, async () => {
        const made = await app.call(`POST ${path}`, { body: { html: HEAVY } });
        assert.ok(made.status < 300, JSON.stringify(made.body));
        let turns = 0;
        const timer = setInterval(() => (turns += 1), 10);
        const { status, error } = await ended(app, `${shown}/${made.body.items.id}`);
        clearInterval(timer);
        assert.equal(status, 'Failed');
        assert.equal(error, sentence);
        assert.ok(turns > 10, `the event loop had ${turns} turns`);
        const { body } = await app.call('POST /v1/inspect/analyze', { body: { html: '<p>Short</p>' } });
        assert.equal((await ended(app, `/v1/inspect/analyze/${body.items.id}`)).status, 'Completed');
      });
    }
  });
}
