// Reading panes of another width than the catalog's.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
before(async () => {
  app = await startApp();
});
after(() => app.close());

const CLIENTS = ['gmail_chrome', 'ol2021', 'iphone16_18'];
const create = (body: object) =>
  app.call('POST /v2/preview/tests', {
    body: { subject: 'Pane', html: '<p style="width:700px">Text', clients: CLIENTS, ...body },
  });

it('shows the message in a pane of the width that was asked for; phones stay as wide as they are', async () => {
  const { body: made } = await create({ pane_width: 600 });
  await app.idle();
  const { body: results } = await app.call(`GET /v1/preview/tests/${made.id}/results`);
  assert.deepEqual(
    CLIENTS.map((id) => results[id].pictures.default.width),
    [600, 600, 393],
  );
  assert.equal((await app.call(`GET /v2/preview/tests/${made.id}`)).body.pane_width, 600);
  const { body: retaken } = await app.call(`PUT /v1/preview/tests/${made.id}/results/reprocess`, {
    body: { clients: ['ol2021'] },
  });
  assert.equal(retaken.ol2021.success, true);
  await app.idle();
  const { body: after } = await app.call(`GET /v1/preview/tests/${made.id}/results`);
  assert.equal(after.ol2021.pictures.default.width, 600);
  const { body: usual } = await create({ pane_width: null, clients: ['ol2021'] });
  assert.equal((await app.call(`GET /v2/preview/tests/${usual.id}`)).body.pane_width, null);
});

it('names the widths that there are', async () => {
  for (const width of [319, 1601, 640.5, '640']) {
    const { status, body } = await create({ pane_width: width });
    assert.deepEqual(
      [status, body.details?.field ?? body.message.slice(0, 10)],
      [400, 'pane_width'],
      JSON.stringify(body),
    );
  }
});
