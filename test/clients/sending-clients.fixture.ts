// A Galley that takes what clients send, and what it says of a message afterwards.
import { startApp, type App } from '../harness/start-app.ts';

export interface SendingApp {
  app: App;
  /** The account's own domain, whose recipients answer by their names. */
  sandbox: string;
  /** What the API says of the message once so many events match. */
  eventsOf(query: Record<string, string>, count: number): Promise<any[]>;
  /** The stored message of the one event that matches. */
  storedOf(query: Record<string, string>): Promise<any>;
}

/** Waits until the list is long enough; time goes on meanwhile, as events are shown two seconds late. */
export async function until(app: App, read: () => Promise<any[]>, count: number): Promise<any[]> {
  for (;;) {
    const items = await read();
    if (items.length >= count) return items;
    app.clock.advance(1000);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Starts it. Close `app` after the tests. */
export async function startSendingApp(settings: Record<string, string> = {}): Promise<SendingApp> {
  const app = await startApp({ GALLEY_ROLES: 'api,work,mail,send', GALLEY_SMTP_DOMAIN: 'galley.test', ...settings });
  const { body } = await app.call('GET /v3/domains');
  const sandbox = body.items[0].name;
  const eventsOf: SendingApp['eventsOf'] = (query, count) =>
    until(
      app,
      async () =>
        (await app.call(`GET /v3/${sandbox}/events?${new URLSearchParams({ ...query, limit: '300' })}`)).body.items,
      count,
    );
  return {
    app,
    sandbox,
    eventsOf,
    async storedOf(query) {
      const [{ storage }] = await eventsOf({ ...query, event: 'accepted' }, 1);
      return (await app.call(`GET ${storage.url}`)).body;
    },
  };
}
