// Misspelled names of providers in an account's own sending, over HTTP.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { TYPOS_DATE } from '../../../engines/typo-domains/index.ts';
import type { NewEvent } from '../../../platform/event-log/index.ts';

let app: App;
let stranger: { 'x-mailgun-on-behalf-of': string };
let at: Date;

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' });
  const { db, events, clock } = app.galley.outside;
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
  stranger = { 'x-mailgun-on-behalf-of': body.subaccount.id };
  const own = await db.ofAnyone.selectFrom('accounts').select('id').where('parentId', 'is', null).executeTakeFirst();
  at = new Date(clock.now().getTime() - 60_000);
  const told = (recipient: string, event: Partial<NewEvent> = {}): NewEvent => ({
    at,
    accountId: own!.id,
    domain: 'letters.example.com',
    recipient,
    messageId: '1',
    event: 'delivered',
    about: {},
    ...event,
  });
  const refused = { event: 'failed', severity: 'permanent', reason: 'bounce' } as const;
  await db.tx((tx) =>
    events.append(tx, [
      told('ann@gmial.com'),
      told('ann@gmial.com'),
      told('bob@gmial.com'),
      told('eve@gmial.com', refused),
      // A try that is made again is no end.
      told('eve@gmial.com', { ...refused, severity: 'temporary', reason: 'generic' }),
      told('eve@gmial.com', { event: 'opened' }),
      told('x@hotmial.com', refused),
      told('x@gmail.com'),
      told('x@ymail.com'),
      told('x@gmial.com.example'),
      told('x@yaho.com', { accountId: body.subaccount.id }),
      told('x@outlok.com', { at: new Date(at.getTime() - 2 * 86_400_000) }),
    ]),
  );
});
after(() => app.close());

const get = async (query = '', headers = {}) =>
  (await app.call(`GET /v1/spamtraps/findings${query}`, { headers })).body;

describe('misspelled domains that were written to', () => {
  it('are found in own sending, with what became of the mail', async () => {
    const since = `?start=${new Date(at.getTime() - 1000).toISOString()}`;
    assert.deepEqual(await get(since), {
      findings: [
        {
          domain: 'gmial.com',
          meant: 'gmail.com',
          delivered: 3,
          failed: 1,
          addresses: 3,
          last_at: at.toISOString(),
        },
        {
          domain: 'hotmial.com',
          meant: 'hotmail.com',
          delivered: 0,
          failed: 1,
          addresses: 1,
          last_at: at.toISOString(),
        },
      ],
      recycled: [],
      watched: null,
      list_date: TYPOS_DATE,
      is_bound: false,
    });
  });

  it('are of the time that is asked for, thirty days by itself', async () => {
    const domains = (await get()).findings.map(({ domain }: { domain: string }) => domain);
    assert.deepEqual(domains, ['gmial.com', 'outlok.com', 'hotmial.com']);
  });

  it('are of one account', async () => {
    const { findings } = await get('', stranger);
    assert.deepEqual(
      findings.map(({ domain, meant }: { domain: string; meant: string }) => [domain, meant]),
      [['yaho.com', 'yahoo.com']],
    );
  });

  it('are refused for a wrong time', async () => {
    const { status, body } = await app.call('GET /v1/spamtraps/findings?start=soon');
    assert.deepEqual(
      [status, body],
      [400, { message: 'start "soon" is not a time; give it as RFC 2822 or ISO 8601.' }],
    );
  });
});
