// A Galley with a receiver of webhooks, for tests that follow events to it.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { startReceiver, type Received, type Receiver } from '../../../../test/harness/webhook-receiver.ts';

export const LOG = '/v1/galley/webhooks/deliveries';
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

/** Reads until it is so. */
export async function until<Value>(
  read: () => Value | Promise<Value>,
  isDone: (value: Value) => boolean,
): Promise<Value> {
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    await pause();
  }
}

interface WebhookBed {
  app: App;
  receiver: Receiver;
  /** The sandbox domain of the account. */
  sandbox: string;
  signingKey: string;
  /** Another account: a header that names it, and its sandbox domain. */
  other: { headers: Record<string, string>; sandbox: string };
  /** Adds a webhook of the account. */
  hook(kinds: string | string[], path: string, headers?: Record<string, string>): Promise<unknown>;
  /** Deletes all webhooks of the account. */
  unhook(headers?: Record<string, string>): Promise<unknown>;
  /** Sends a message to sandbox recipients, and moves time on until its events are shown. */
  send(to: string | string[], as?: { domain?: string; headers?: Record<string, string> }): Promise<void>;
  /** What the list of events shows of a recipient. */
  events(event: string, name: string): Promise<any[]>;
  /** The deliveries to a path, newest first. */
  logged(path: string): Promise<any[]>;
  urlState(path: string): Promise<any>;
  /** As existing clients check it. */
  isSigned(received: Received, key?: string): boolean;
}

/** Starts it before the tests of this file, and closes it after them. */
export function webhookBed(): WebhookBed {
  const bed = {} as WebhookBed;
  before(async () => {
    const receiver = await startReceiver();
    const app = await startApp({ GALLEY_ROLES: 'api,send', GALLEY_ALLOW_HOSTS: receiver.host });
    const sandboxOf = async (headers = {}): Promise<string> =>
      (await app.call('GET /v4/domains', { headers })).body.items[0].name;
    const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount;
    const headers = { 'x-service-account-id': id };
    const sandbox = await sandboxOf();
    const signingKey = (await app.call('GET /v5/accounts/http_signing_key')).body.http_signing_key;
    Object.assign(bed, {
      app,
      receiver,
      sandbox,
      signingKey,
      other: { headers, sandbox: await sandboxOf(headers) },
      ...helpersOf(bed),
    });
  });
  after(async () => {
    await bed.app.close();
    await bed.receiver.close();
  });
  return bed;
}

function helpersOf(bed: WebhookBed): Partial<WebhookBed> {
  return {
    hook: (kinds, path, headers = {}) =>
      bed.app.call('POST /v1/webhooks', { body: { url: bed.receiver.url + path, event_types: kinds }, headers }),
    unhook: (headers = {}) => bed.app.call('DELETE /v1/webhooks?all=true', { headers }),
    async send(to, { domain = bed.sandbox, headers = {} } = {}) {
      const recipients = [to].flat().map((name) => `${name}@${domain}`);
      const { status, body } = await bed.app.call(`POST /v3/${domain}/messages`, {
        body: { from: `ann@${domain}`, to: recipients, subject: 'Hello', text: 'Hello', 'recipient-variables': '{}' },
        headers,
      });
      assert.equal(status, 200, JSON.stringify(body));
      // The log shows no event of the last two seconds.
      bed.app.clock.advance(3000);
    },
    events: async (event, name) => {
      const recipient = encodeURIComponent(`${name}@${bed.sandbox}`);
      return (await bed.app.call(`GET /v3/${bed.sandbox}/events?event=${event}&recipient=${recipient}`)).body.items;
    },
    logged: async (path) =>
      (await bed.app.call(`GET ${LOG}?url=${encodeURIComponent(bed.receiver.url + path)}`)).body.items,
    urlState: async (path) =>
      (await bed.app.call('GET /v1/galley/webhooks/urls')).body.items.find(
        ({ url }: any) => url === bed.receiver.url + path,
      ),
    isSigned: ({ signature: { timestamp, token, signature } }, key = bed.signingKey) =>
      createHmac('sha256', key).update([timestamp, token].join('')).digest('hex') === signature,
  };
}
