// What destinations ask of a sender, by what they answer or by silence: it holds before the next attempt is made.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createZoneDns, type DeclaredRecords, type Dns } from '../../../platform/dns/index.ts';
import { startMailServer, type MailServer, type MailServerOptions } from '../../../../test/harness/mail-server.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'news.example.com';

const zone: Record<string, DeclaredRecords> = {
  // Two domains of one provider, whose servers have other names.
  'one.example': { MX: ['10 mx01.mail.icloud.com'] },
  'mx01.mail.icloud.com': { A: ['127.0.0.1'] },
  'two.example': { MX: ['10 mx02.mail.icloud.com'] },
  'mx02.mail.icloud.com': { A: ['127.0.0.1'] },
  'rated.example': { MX: ['10 mx.rated.example'] },
  'mx.rated.example': { A: ['127.0.0.1'] },
  'fine.example': { MX: ['10 mx.fine.example'] },
  'mx.fine.example': { A: ['127.0.0.1'] },
  // Nobody listens there.
  'silent.example': { MX: ['10 mx.silent.example'] },
  'mx.silent.example': { A: ['127.0.0.9'] },
};
const dns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };

/** What the server says to recipients of a domain, for as long as it stands here. */
const replies: Record<string, string> = {
  'one.example': '421 4.7.0 Service unavailable - try again later',
  'rated.example': '421 4.7.0 Messages from 192.0.2.1 temporarily deferred',
};
const answer: MailServerOptions['answer'] = (verb, line) =>
  verb === 'RCPT' ? replies[/@([^>]*)/.exec(line)?.[1] ?? ''] : undefined;

let server: MailServer;
let app: App;

before(async () => {
  server = await startMailServer({ answer });
  app = await startApp(
    { GALLEY_ROLES: 'api,work,send', GALLEY_DELIVERY: 'live', GALLEY_ALLOW_HOSTS: '127.0.0.0/8' },
    { dns, mail: { mxPort: server.port, replyTimeoutMs: 20_000 } },
  );
  const { body } = await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  for (const record of body.sending_dns_records) zone[record.name] = { TXT: [record.value] };
  assert.equal((await app.call(`PUT /v4/domains/${DOMAIN}/verify`)).body.domain.state, 'active');
});
after(async () => {
  await app.close();
  await server.close();
});

async function send(to: readonly string[], fields: Record<string, string> = {}): Promise<void> {
  const letter = { from: `ann@${DOMAIN}`, subject: 'Hello', text: 'Hello', to: to.join(', '), ...fields };
  const { status, body } = await app.call(`POST /v3/${DOMAIN}/messages`, { body: letter });
  assert.equal(status, 200, JSON.stringify(body));
}

interface Queued {
  recipient: string;
  state: string;
  reason: string;
  attempts: number;
  next_attempt_at: string;
  last_attempt?: { code: number };
}

const queued = async (destination: string): Promise<Queued[]> =>
  (await app.call(`GET /v1/galley/queue/deliveries?destination=${destination}`)).body.items;

/** Asks until it is so. */
async function until<Found>(look: () => Promise<Found> | Found, isSo: (found: Found) => boolean): Promise<Found> {
  for (;;) {
    const found = await look();
    if (isSo(found)) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const asked = (recipient: string): number => server.lines.filter((line) => line.includes(`<${recipient}>`)).length;
const taken = (recipient: string): number => server.messages.filter(({ to }) => to.includes(recipient)).length;

/** Waits until a message that was accepted now has left: the queue has been looked at meanwhile. */
async function lookedAt(name: string): Promise<void> {
  await send([`${name}@fine.example`]);
  await until(
    () => taken(`${name}@fine.example`),
    (count) => count === 1,
  );
}

/** A test in which no time goes by but what it moves, however busy the machine is. */
const standing = (run: () => Promise<void>) => () => app.clock.holding(run);

const hasTried = (count: number) => (items: Queued[]) =>
  items.filter(({ attempts }) => attempts === 1).length === count;

describe('a provider that says in its own words that it wants less', () => {
  it(
    'is left alone at all of its domains, and the queue says why and until when',
    standing(async () => {
      const first = ['a', 'b', 'c', 'd', 'e'].map((local) => `${local}@one.example`);
      await send(first);
      await until(() => queued('one.example'), hasTried(5));
      await send(['held@two.example', 'short@two.example'], { 'o:deliver-within': '5m' });
      await send(['later@two.example']);
      const [held] = await until(
        () => queued('two.example'),
        (items) => items.length === 1 && items[0]!.state === 'deferred',
      );
      assert.equal(held!.recipient, 'later@two.example');
      assert.equal(
        held!.reason,
        'Nothing is sent to apple for now, because it said: 421 4.7.0 Service unavailable - try again later.',
      );
      assert.equal(held!.attempts, 0);
      assert.equal(held!.last_attempt, undefined);
      assert.equal(Date.parse(held!.next_attempt_at), app.clock.now().getTime() + 900_000);
      const { body } = await app.call('GET /v1/galley/queue');
      const place = body.destinations.find(({ destination }: { destination: string }) => destination === 'two.example');
      assert.equal(place.reason, held!.reason);
      assert.deepEqual(
        ['held', 'short', 'later'].map((local) => asked(`${local}@two.example`)),
        [0, 0, 0],
      );
    }),
  );

  it('whose patience is longer than a message is worth: that message has failed', async () => {
    app.clock.advance(3000);
    const [failed] = await until(
      async () => (await app.call(`GET /v3/${DOMAIN}/events?recipient=short@two.example&event=failed`)).body.items,
      (items) => items.length === 1,
    );
    assert.deepEqual([failed.severity, failed.reason, failed['delivery-status'].code], ['permanent', 'old', 602]);
    assert.match(failed['delivery-status']['last-message'], /^Nothing is sent to apple for now/);
  });

  it('gets its mail when the time is over', async () => {
    delete replies['one.example'];
    app.clock.advance(900_000);
    await until(
      () => taken('later@two.example'),
      (count) => count === 1,
    );
    assert.equal(asked('later@two.example'), 1);
  });
});

describe('a server that defers messages from our address', () => {
  it(
    'gets one a minute from then on',
    standing(async () => {
      await send(['first@rated.example']);
      await until(() => queued('rated.example'), hasTried(1));
      delete replies['rated.example'];
      const others = ['x', 'y', 'z'].map((local) => `${local}@rated.example`);
      const sent = (): number => others.reduce((sum, recipient) => sum + taken(recipient), 0);
      await send(others);
      for (const count of [1, 2, 3]) {
        await until(sent, (found) => found === count);
        const left = await until(
          () => queued('rated.example'),
          (items) => items.filter(({ state }) => state === 'deferred').length === 4 - count,
        );
        assert.ok(
          left.every(({ recipient, reason }) => recipient.startsWith('first') || reason.startsWith('Little is sent')),
        );
        await lookedAt(`minute${count}`);
        assert.equal(sent(), count);
        app.clock.advance(60_000);
      }
    }),
  );
});

describe('a destination where nobody answers', () => {
  it(
    'rests after three, and what waits for it does not keep others waiting',
    standing(async () => {
      await send(['a', 'b', 'c'].map((local) => `${local}@silent.example`));
      await until(() => queued('silent.example'), hasTried(3));
      await send(['d@silent.example']);
      await lookedAt('beside');
      // One that is being tried is not in the list.
      const waiting = async (): Promise<Queued | undefined> =>
        (await queued('silent.example')).find(({ recipient }) => recipient.startsWith('d@'));
      const rested = await waiting();
      assert.deepEqual([rested?.attempts, rested?.state], [0, 'due']);
      app.clock.advance(5001);
      const tried = await until(waiting, (found) => found?.attempts === 1);
      assert.deepEqual([tried?.state, tried?.last_attempt?.code], ['deferred', 498]);
    }),
  );
});

describe('more than a destination has connections for', () => {
  it('waits here, and all of it arrives once', async () => {
    const many = Array.from({ length: 300 }, (_, index) => `many${index}@fine.example`);
    await send(many);
    await until(
      () => many.every((recipient) => taken(recipient) > 0),
      (isAll) => isAll,
    );
    await lookedAt('after');
    assert.deepEqual(
      many.filter((recipient) => taken(recipient) !== 1 || asked(recipient) !== 1),
      [],
    );
    await until(
      () => queued('fine.example'),
      (items) => items.length === 0,
    );
  });
});
