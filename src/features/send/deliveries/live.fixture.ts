// A Galley that delivers to a mail server on loopback, which a declared zone names, for tests of what leaves.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { createZoneDns, type DeclaredRecords, type Dns } from '../../../platform/dns/index.ts';
import type { MailerOptions } from '../../../platform/mail/index.ts';
import { startMailServer, type MailServer, type MailServerOptions } from '../../../../test/harness/mail-server.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

export const DOMAIN = 'news.example.com';

interface LiveBed {
  app: App;
  /** Takes mail for example.net. */
  server: MailServer;
  zone: Record<string, DeclaredRecords>;
  dns: Dns;
  /** Adds a domain and verifies it. */
  verify(name: string): Promise<void>;
  /** Sends to one recipient or several; answers the Message-Id. */
  send(fields: Record<string, unknown>, path?: string): Promise<string>;
  /** Waits until nothing is due or on its way, and answers the events of a recipient, oldest first. */
  eventsOf(recipient: string): Promise<any[]>;
  /** The messages that the server took for a recipient. */
  taken(recipient: string): MailServer['messages'];
  /** The stored message, as people read it back. */
  stored(recipient: string): Promise<any>;
}

interface LiveBedOptions {
  answer?: MailServerOptions['answer'];
  settings?: Record<string, string>;
  mail?: Partial<MailerOptions>;
  /** In place of the zone's answers. */
  dnsOf?: (zone: Dns) => Dns;
  /** What else the world has; done before the first test. */
  prepare?: () => Promise<void>;
}

/** Starts it before the tests of this file, and closes it after them. */
export function liveBed({ answer, settings = {}, mail = {}, dnsOf, prepare }: LiveBedOptions = {}): LiveBed {
  const bed = {} as LiveBed;
  before(async () => {
    const server = await startMailServer({ ...(answer && { answer }) });
    const zone: LiveBed['zone'] = {
      'example.net': { MX: ['10 mx.example.net'] },
      'mx.example.net': { A: ['127.0.0.1'] },
    };
    const zoneDns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };
    const dns = dnsOf ? dnsOf(zoneDns) : zoneDns;
    const app = await startApp(
      { GALLEY_ROLES: 'api,work,send', GALLEY_DELIVERY: 'live', GALLEY_ALLOW_HOSTS: '127.0.0.0/8', ...settings },
      { dns, mail: { mxPort: server.port, replyTimeoutMs: 5000, greetingTimeoutMs: 2000, ...mail } },
    );
    Object.assign(bed, { app, server, zone, dns, ...callsOf(bed) });
    await bed.verify(DOMAIN);
    await prepare?.();
  });
  after(async () => {
    await bed.app.close();
    await bed.server.close();
  });
  return bed;
}

function callsOf(bed: LiveBed): Partial<LiveBed> {
  return {
    async verify(name) {
      const { body } = await bed.app.call('POST /v4/domains', { body: { name } });
      for (const record of body.sending_dns_records) bed.zone[record.name] = { TXT: [record.value] };
      assert.equal((await bed.app.call(`PUT /v4/domains/${name}/verify`)).body.domain.state, 'active');
    },
    async send(fields, path = `/v3/${DOMAIN}/messages`) {
      const letter = path.endsWith('.mime') ? {} : { from: `Ann <ann@${DOMAIN}>`, subject: 'Hello', text: 'Hello' };
      const { status, body } = await bed.app.call(`POST ${path}`, { body: { ...letter, ...fields } });
      assert.equal(status, 200, JSON.stringify(body));
      return body.id;
    },
    async eventsOf(recipient) {
      await nothingIsDue(bed.app);
      bed.app.clock.advance(3000);
      const { items } = (await bed.app.call(`GET ${eventsPath(bed.app, recipient)}`)).body;
      return items;
    },
    taken: (recipient) => bed.server.messages.filter(({ to }) => to.includes(recipient)),
    async stored(recipient) {
      const items = await bed.eventsOf(recipient);
      const { url } = items.at(-1).storage;
      return (await bed.app.call(`GET ${new URL(url).pathname}`)).body;
    },
  };
}

function eventsPath({ clock }: App, recipient: string): string {
  const begin = Math.floor(clock.now().getTime() / 1000) - 86_000;
  const query = new URLSearchParams({ begin: String(begin), ascending: 'yes', limit: '300', recipient });
  return `/v3/${DOMAIN}/events?${query}`;
}

/** Until every delivery has ended, or waits for a later time. */
async function nothingIsDue({ galley, clock }: App): Promise<void> {
  for (;;) {
    const { rows } = await galley.outside.db.text('select 1 from deliveries where is_taken or due_at <= $1 limit 1', [
      clock.now(),
    ]);
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
