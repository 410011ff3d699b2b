// The signing key of webhooks where it cannot be read: the service has another encryption key than when it was stored.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const KEY = '/v5/accounts/http_signing_key';

let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' });
});
after(() => app.close());

describe(KEY, () => {
  it('says that the key cannot be read, until it is replaced', async () => {
    assert.equal((await app.call(`GET ${KEY}`)).status, 200);
    const { db, secrets } = app.galley.outside;
    await db.ofAnyone
      .updateTable('signingKeys')
      .set({ sealed: secrets.seal('another', 'elsewhere') })
      .execute();
    const message =
      'could not get HSK for account: the signing key of webhooks cannot be read, because it was stored with another ' +
      'encryption key of this service. Replace the signing key, or ask the operator to bring GALLEY_SECRET_KEY back.';
    const read = await app.call(`GET ${KEY}`);
    assert.deepEqual([read.status, read.body], [400, { message }]);
    const made = await app.call(`POST ${KEY}`);
    assert.equal(made.status, 200);
    assert.equal((await app.call(`GET ${KEY}`)).body.http_signing_key, made.body.http_signing_key);
  });
});
