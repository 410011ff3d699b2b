// What becomes of a picture whose stored file was lost or spoiled.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { listShots, pictureKey } from '../previews/index.ts';

let app: App;
let testId: string;
let key: string;
let address: string;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
  testId = (
    await app.call('POST /v2/preview/tests', {
      body: { subject: 'Spoiled', html: '<p>Hi</p>', clients: ['gmail_chrome'] },
    })
  ).body.id;
  await app.idle();
  const [shot] = await listShots(app.galley.outside.db, testId);
  key = pictureKey(testId, shot!.key, 'picture');
  address = (await app.call(`GET /v2/preview/tests/${testId}/results/gmail_chrome`)).body.gmail_chrome.screenshots
    .default;
});
after(() => app.close());

const exported = async () => {
  const { body } = await app.call(`POST /v2/preview/tests/${testId}/exports`, { body: { clients: ['gmail_chrome'] } });
  await app.idle();
  const { job_status: status, error } = (await app.call(`GET /v2/preview/tests/${testId}/exports/${body.job_id}`)).body;
  return { status, error: error?.message };
};

describe('a stored picture', () => {
  it('that was changed, cut or deleted is a 410 with the reason, and a Failed export', async () => {
    const { blobs } = app.galley.outside;
    const whole = (await blobs.get(key)) as Buffer;
    assert.equal((await app.call(`GET ${address}`, { key: null })).status, 200);
    const changed = Buffer.from(whole);
    changed[whole.length >> 1]! ^= 1;
    for (const body of [changed, whole.subarray(0, whole.length - 20), Buffer.alloc(0)]) {
      await blobs.put(key, body, 'image/png');
      const { status, body: answer } = await app.call(`GET ${address}`, { key: null });
      assert.deepEqual(
        [status, answer.message],
        [410, 'The stored picture default.png is damaged; reprocess the client to make it again.'],
      );
    }
    assert.deepEqual(await exported(), {
      status: 'Failed',
      error:
        'The zip could not be made: the stored default picture of gmail_chrome is damaged; reprocess that client first',
    });
    await blobs.deleteAll(`previews/${testId}`);
    assert.deepEqual((await app.call(`GET ${address}`, { key: null })).status, 410);
    assert.deepEqual(await exported(), {
      status: 'Failed',
      error:
        'The zip could not be made: the stored default picture of gmail_chrome is missing; reprocess that client first',
    });
    assert.equal((await app.call(`GET /v1/preview/tests/${testId}/content`)).status, 410);
  });
});
