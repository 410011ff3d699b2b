import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
let testId: string;
before(async () => {
  app = await startApp();
  testId = (
    await app.call('POST /v2/preview/tests', {
      body: { subject: 'Zip', html: '<p>Hi</p>', clients: ['gmail_chrome', 'ol2021'], image_blocking: true },
    })
  ).body.id;
});
after(() => app.close());

describe('exports', () => {
  it('answers 404 while there is none', async () => {
    const { status, body } = await app.call(`GET /v2/preview/tests/${testId}/exports`);
    assert.deepEqual([status, body.Reason], [404, 'This test has no export yet.']);
  });

  it('makes a zip of the screenshots, waiting for those still processing', async () => {
    const { status, body } = await app.call(`POST /v2/preview/tests/${testId}/exports`, {
      body: { clients: ['gmail_chrome'], test_id: testId },
    });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      job_id: body.job_id,
      test_id: testId,
      clients: ['gmail_chrome'],
      job_status: 'Processing',
    });
    let done = body;
    while (done.job_status === 'Processing') {
      await new Promise((resolve) => setTimeout(resolve, 50));
      done = (await app.call(`GET /v2/preview/tests/${testId}/exports/${body.job_id}`)).body;
    }
    assert.deepEqual(done, {
      job_id: body.job_id,
      test_id: testId,
      clients: ['gmail_chrome'],
      job_status: 'Complete',
      zip_url: `${app.url}/files/exports/${body.job_id}`,
      failed_clients: [],
    });
    assert.deepEqual((await app.call(`GET /v2/preview/tests/${testId}/exports`)).body, done);
    const zip = await app.call(`GET ${done.zip_url}`, { key: null });
    assert.equal(zip.headers.get('content-type'), 'application/zip');
    const files = unzipSync(zip.body);
    assert.deepEqual(Object.keys(files).sort(), ['gmail_chrome/default.png', 'gmail_chrome/no_images.png']);
    assert.equal((await sharp(files['gmail_chrome/default.png']).metadata()).format, 'png');
  });

  it('names what is wrong', async () => {
    const path = `POST /v2/preview/tests/${testId}/exports`;
    assert.equal(
      (await app.call(path, { body: { clients: ['thunderbird'] } })).body.Reason,
      'clients names what is not part of this test: thunderbird.',
    );
    assert.equal((await app.call(path, { body: {} })).body.Reason, 'clients is required.');
    assert.equal(
      (await app.call(path, { body: { clients: ['gmail_chrome'], test_id: 'other' } })).body.Reason,
      'test_id differs from the one in the path.',
    );
    assert.equal((await app.call(`GET /v2/preview/tests/${testId}/exports/none`)).status, 404);
    assert.equal(
      (
        await app.call('POST /v2/preview/tests/0123456789abcdef01234567/exports', {
          body: { clients: ['gmail_chrome'] },
        })
      ).status,
      404,
    );
    assert.equal((await app.call('GET /files/exports/none', { key: null })).status, 404);
  });

  it('is deleted with its test', async () => {
    const { body } = await app.call(`GET /v2/preview/tests/${testId}/exports`);
    await app.call(`DELETE /v2/preview/tests/${testId}`);
    assert.equal((await app.call(`GET ${body.zip_url}`, { key: null })).status, 404);
  });
});
