// The API reference: what it loads, and whether its samples work.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { operationsOf, sampleRequest, type OpenApiDocument } from '../src/platform/http/index.ts';
import { startApp, type App } from './harness/start-app.ts';

let app: App;
let document: OpenApiDocument;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api', GALLEY_ALLOW_HOSTS: '' });
  document = (await app.call('GET /openapi.json')).body;
});
after(() => app.close());

/** Refused for what the world or this account is like; the request itself is right. */
const OF_THE_WORLD: Record<string, RegExp> = {
  'POST /v4/inbox/tests': /^from names \S+, which is not a verified sending domain of this account/,
  // The same as /v4/domains, which came before it.
  'POST /v3/domains': /^The domain mail\.example\.com is already in use in this account\.$/,
  'POST /v1/alerts/email/test': /did not take the test alert:/,
  'POST /v1/alerts/webhooks/test': /did not take the test alert:/,
  'POST /v1/alerts/slack/test': /did not take the test alert:/,
  'PUT /v1/alerts/settings/slack': /^Slack could not be asked:|^token was refused by Slack:/,
  // The file of this test is a list of links.
  'POST /v1/spamtraps/imports': /^file must name the columns date and type in its first row/,
  'POST /v4/address/validate/bulk/{list_id}': /^file must name a column email or email_address in its first row/,
  // A sample of a form is its file alone.
  'POST /v2/preview/captures': /^client is required\.$/,
  'POST /v1/galley/postmaster/uploads': /^provider is required\.$/,
  // A subaccount of the account that the sample was taken from.
  'PUT /v1/thresholds/limits/{name}': /^filters names "\w+", which is the id of no subaccount of this account\.$/,
  // Only an operator gives addresses, and this service has none.
  'POST /v3/ip_pools': /^ip "\S+" is not an address of this account\.$/,
  'PUT /v1/galley/sending_limits': /^name must be an IP address that this account may send from/,
  'POST /v3/dynamic_pools/all': /^good_reputation "\S+" is not an address of this account\.$/,
  'POST /v3/domains/all/dynamic_pools/enroll': /^The dynamic pools are not set up yet/,
  // A list has its address at a domain of the account.
  'POST /v3/lists': /^address: \S+ is not a domain of this account;/,
  // The published interface answers so for an account that there is not, or that has no limit.
  'GET /v5/accounts/subaccounts/{subaccount_id}/limit/custom/monthly': /^Not a subaccount$/,
  'PUT /v5/accounts/subaccounts/{subaccount_id}/limit/custom/monthly': /^Invalid subaccount ID$/,
  'DELETE /v5/accounts/subaccounts/{subaccount_id}/limit/custom/monthly': /^Could not delete threshold for account$/,
  'PUT /v5/accounts/limit/custom/enable': /^Unable to re-enable account/,
  // A header or a query that a sample has not, lest it be copied: it deletes.
  'DELETE /v5/accounts/subaccounts': /^X-Mailgun-On-Behalf-Of is required/,
  'DELETE /v2/ip_whitelist': /^IP address can not be blank$/,
  // A sample that deleted every webhook would be copied one day.
  'DELETE /v1/webhooks': /^webhook_ids or all=true is required\.$/,
};

async function sendFile(path: string, field: string): Promise<{ status: number; body: any }> {
  const form = new FormData();
  form.append(field, new File(['URL,Status\nhttps://example.com/,200\n'], 'expected.csv'));
  const response = await fetch(app.url + path, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`api:${app.key}`)}` },
    body: form,
  });
  return { status: response.status, body: await response.json() };
}

function decoded(html: string): string {
  return html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

describe('the API reference', () => {
  it('has a sample of every operation that the service takes', async () => {
    const refused: Record<string, unknown> = {};
    for (const { method, path, operation } of operationsOf(document)) {
      const request = sampleRequest(path, operation);
      const { status, body } =
        request.file === undefined
          ? await app.call(`${method} ${request.path}`, request.body === undefined ? {} : { body: request.body })
          : await sendFile(request.path, request.file);
      const message = String(body?.message ?? body?.Reason ?? JSON.stringify(body));
      const isOfTheWorld = OF_THE_WORLD[`${method} ${path}`]?.test(message) ?? false;
      if ([400, 405, 413, 415].includes(status) && !isOfTheWorld)
        refused[`${method} ${path}`] = [request, status, message];
      assert.ok(status < 500, `${method} ${path} answers ${status}: ${message}`);
    }
    assert.deepEqual(refused, {});
  });

  it('shows each sample as a line for a shell, with the address of this service', async () => {
    const { body: page } = await app.call('GET /docs', { key: null });
    const samples = [...(page as string).matchAll(/<pre[^>]*aria-label="Sample request:[^>]*>([\s\S]*?)<\/pre>/g)].map(
      ([, text = '']) => decoded(text),
    );
    const operations = operationsOf(document);
    assert.equal(samples.length, operations.length);
    operations.forEach(({ method, path, operation }, index) => {
      const request = sampleRequest(path, operation);
      const sample = samples.find((text) =>
        text.startsWith(`curl ${method === 'GET' ? '' : `-X ${method} `}'${app.url}${request.path}'`),
      );
      assert.ok(sample, `${method} ${path} (${index})`);
      const sent = /-d '([\s\S]*)'$/.exec(sample)?.[1]?.replaceAll(String.raw`'\''`, "'");
      assert.deepEqual(sent === undefined ? undefined : JSON.parse(sent), request.body);
    });
  });

  it('shows a reply of every operation that answers with JSON, as a test was answered', async () => {
    const { body: page } = await app.call('GET /docs', { key: null });
    const shown = [...(page as string).matchAll(/aria-label="Sample reply: ([^"]*)">([\s\S]*?)<\/pre>/g)].map(
      ([, operation = '', text = '']) => [decoded(operation), JSON.parse(decoded(text))],
    );
    const expected = operationsOf(document).flatMap(({ method, path, operation }) => {
      const reply = operation.responses?.['200'] ?? operation.responses?.['201'] ?? operation.responses?.['202'];
      const json = reply?.content?.['application/json'];
      return json ? [[`${method} ${path}`, json.example]] : [];
    });
    assert.ok(expected.length >= 123);
    assert.deepEqual(Object.fromEntries(shown), Object.fromEntries(expected));
  });

  it('runs no script, and loads nothing from anywhere else', async () => {
    const { headers, body: page } = await app.call('GET /docs', { key: null });
    assert.equal(
      headers.get('content-security-policy'),
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action " +
        "'none'; frame-ancestors 'none'",
    );
    assert.doesNotMatch(page as string, /<script|<iframe|\son\w+=|@import|url\(/i);
    const loaded = [...(page as string).matchAll(/\s(?:src|href)="([^"]*)"/g)]
      .map(([, url = '']) => url)
      .filter((url) => !/^(?:#|\/(?!\/))/.test(url));
    assert.deepEqual(loaded, []);
    const { status, body: styles } = await app.call('GET /docs/reference.css', { key: null });
    assert.equal(status, 200);
    assert.doesNotMatch(String(styles), /url\(|@import/);
    for (const path of ['/docs/js/scalar.js', '/docs/openapi.json', '/docs/openapi.yaml'])
      assert.equal((await app.call(`GET ${path}`)).status, 404, path);
  });
});
