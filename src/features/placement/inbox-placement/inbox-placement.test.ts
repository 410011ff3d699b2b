import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import nodemailer from 'nodemailer';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
let sandbox: string;
let from: string;
let port: number;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,mail', GALLEY_SMTP_DOMAIN: 'galley.test' });
  port = app.galley.outside.ownSmtp!.port;
  const { body } = await app.call('POST /v4/inbox/tests', {
    body: { from: 'a@elsewhere.example', subject: 'x', html: 'x' },
  });
  sandbox = /sandbox\w+\.galley\.test/.exec(body.message)?.[0] as string;
  from = `news@${sandbox}`;
});
after(() => app.close());

const LISTS = '/v4/inbox/seedlists';
const RESULTS = '/v4/inbox/results';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NO_TIME = '0001-01-01T00:00:00Z';
const LETTER =
  '<h1>Hello %recipient.first_name%</h1><p>The tomatoes are out of the greenhouse at last, and the roses by the ' +
  'south wall have begun to flower. This month we write about watering in the early morning.</p>';
const SCAM =
  '<p>Dear friend, CONGRATULATIONS, you have won one million dollars! <a href="http://bit.ly/x">http://paypal.com' +
  '</a> Viagra, 100% free, risk free, act now, urgent!!!</p>';
const GATEWAY = 'gateway.local-receiver.example';
const WEBMAIL = 'webmail.local-receiver.example';

const answerOf = async (operation: string, body?: unknown): Promise<[number, any]> => {
  const answer = await app.call(operation, body === undefined ? {} : { body });
  return [answer.status, answer.body];
};

async function completed(id: string): Promise<any> {
  for (;;) {
    const [status, body] = await answerOf(`GET ${RESULTS}/${id}`);
    assert.equal(status, 200, JSON.stringify(body));
    if (body.result.status === 'complete') return body.result;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** One seed at each of two receivers, unless told otherwise. */
async function place(body: object = {}): Promise<any> {
  const [status, started] = await answerOf('POST /v4/inbox/tests', {
    from,
    subject: 'Garden notes',
    html: LETTER,
    provider_filter: [GATEWAY, WEBMAIL],
    seeds_per_provider: 1,
    ...body,
  });
  assert.equal(status, 200, JSON.stringify(started));
  return completed(started.result_id);
}

async function makeList(body: object = {}): Promise<any> {
  const [status, list] = await answerOf(`POST ${LISTS}`, {
    provider_filter: [GATEWAY],
    seeds_per_provider: 2,
    ...body,
  });
  assert.equal(status, 200, JSON.stringify(list));
  return list;
}

const ONLY_SIMULATED =
  'Simulated: no real mailbox took part. The receivers are rules of Galley; they say nothing about where a ' +
  'provider files this message.';
const EMPTY = {
  provider: 'all',
  delivered: 0,
  missing: 0,
  pending: 0,
  spam: 0,
  inbox: 0,
  total: 0,
  categories: {},
  rejected: 0,
  undetermined: 0,
  simulated: 0,
  observations: 0,
  inbox_interval: null,
  spam_interval: null,
  first_received_at: null,
  last_received_at: null,
};

describe('POST /v4/inbox/tests', () => {
  it('sends one message to every seed, each with its reader’s name, and says where it landed', async () => {
    const [status, started] = await answerOf('POST /v4/inbox/tests', {
      from: `Garden <${from}>`,
      subject: 'For %recipient.first_name%',
      html: LETTER,
      provider_filter: [GATEWAY, WEBMAIL],
      seeds_per_provider: 2,
      headers: { 'X-Campaign': 'may' },
    });
    const id = started.result_id;
    assert.match(id, UUID);
    const addresses = started.mailing_list.split(',');
    assert.deepEqual([status, started.links, addresses.length], [200, { results: `${app.url}${RESULTS}/${id}` }, 5]);
    const {
      seed_results: seeds,
      delivery_stats: stats,
      delivery_totals: totals,
      filters,
      ...result
    } = await completed(id);
    const { rid, created_at: createdAt, updated_at: updatedAt } = result;
    assert.match(rid, /^[0-9a-f]{24}$/);
    assert.match(createdAt, TIME);
    assert.deepEqual(result, {
      rid,
      result_id: id,
      keybox_email: addresses[0],
      seedlist_name: 'For %recipient.first_name%',
      name: 'For %recipient.first_name%',
      subject: 'For %recipient.first_name%',
      sender: from,
      body: LETTER,
      campaign_id: '',
      status: 'complete',
      created_at: createdAt,
      updated_at: updatedAt,
      attributes: {},
      is_spoofing: null,
      sharing_enabled: false,
      sharing_id: '',
      spamassassin: null,
      comparison: null,
      notice: ONLY_SIMULATED,
    });
    assert.deepEqual([filters.length, filters[0].engine, filters[0].verdict], [1, 'built-in', 'nothing_found']);
    assert.deepEqual(stats.all, {
      ...EMPTY,
      delivered: 4,
      inbox: 4,
      total: 4,
      categories: { primary: 4 },
      simulated: 4,
      observations: 2,
      first_received_at: stats.all.first_received_at,
      last_received_at: stats.all.last_received_at,
    });
    assert.deepEqual(totals, {
      real: { ...EMPTY, provider: 'real' },
      simulated: { ...stats.all, provider: 'simulated' },
    });
    assert.deepEqual(
      [stats[WEBMAIL].simulated, stats[WEBMAIL].observations, stats[WEBMAIL].inbox_interval],
      [2, 1, null],
    );
    assert.deepEqual(Object.keys(stats).sort(), ['all', GATEWAY, WEBMAIL].sort());
    const {
      headers,
      authentication,
      delivered_at: sentAt,
      received_at: receivedAt,
      delay_seconds: delay,
      email,
      reason,
      ...seed
    } = seeds[0];
    assert.deepEqual(seed, {
      provider: WEBMAIL,
      simulated: true,
      destination: 'inbox',
      state: 'delivered',
      originating_ip: '192.0.2.25',
      tags: ['inbox'],
      spf: 'pass',
      dkim: 'pass',
      dmarc: 'pass',
      extensions: { category: 'primary' },
      smtp_reply: '250 2.6.0 OK: message queued',
      attempts: 1,
      copies: 1,
    });
    assert.deepEqual(
      [
        addresses.includes(email),
        TIME.test(sentAt),
        TIME.test(receivedAt),
        delay >= 0,
        reason.length > 0,
        authentication[0].method,
      ],
      [true, true, true, true, true, 'spf'],
    );
    const valueOf = (name: string): string => headers.find(({ key }: any) => key === name)?.value;
    assert.match(valueOf('Subject'), /^For \p{Lu}\p{Ll}+$/u);
    assert.deepEqual(
      [
        valueOf('X-Campaign'),
        valueOf('From'),
        valueOf('Authentication-Results').includes('dkim=pass'),
        valueOf('X-Galley-Seed'),
      ],
      ['may', `Garden <${from}>`, true, undefined],
    );
  });

  it('fills variables of a template', async () => {
    const { subject, body } = await place({
      subject: 'Hello {{name}}',
      html: '<p>{{name}} {{#if isMember}}is a member{{/if}}, and this sentence makes it long enough to read.</p>',
      variables: { name: 'A & B', isMember: 'yes' },
    });
    assert.deepEqual(
      [subject, body],
      ['Hello A & B', '<p>A &amp; B is a member, and this sentence makes it long enough to read.</p>'],
    );
  });

  it('takes a stored template by its name, of the domain before that of the account', async () => {
    const domain = from.slice(from.lastIndexOf('@') + 1);
    const sentence = 'and this sentence makes it long enough to read.';
    const ofAccount = { name: 'summer', template: `<p>Hi {{name}}, ${sentence}</p>` };
    const headers = { Subject: 'not this one', 'Reply-To': '{{desk}}@example.com' };
    const ofDomain = { name: 'summer', template: `<p>Dear {{name}}, ${sentence}</p>`, headers };
    for (const [path, body] of [
      ['/v4/templates', ofAccount],
      [`/v3/${domain}/templates`, ofDomain],
    ] as const)
      assert.equal((await app.call(`POST ${path}`, { body })).status, 200);
    const variables = { name: 'A & B', desk: 'help' };
    const own = await place({ html: null, subject: 'For {{name}}', template_name: 'Summer', variables });
    assert.deepEqual([own.subject, own.body], ['For A & B', `<p>Dear A &amp; B, ${sentence}</p>`]);
    const replyTo = own.seed_results[0].headers.find(({ key }: any) => key === 'Reply-To');
    assert.equal(replyTo?.value, 'help@example.com');
    const given = { 'reply-to': 'mine@example.com' };
    const said = await place({ html: null, template_name: 'summer', variables, headers: given });
    assert.deepEqual(
      said.seed_results[0].headers.filter(({ key }: any) => /^reply-to$/i.test(key)).map(({ value }: any) => value),
      ['mine@example.com'],
    );
    const shared = await place({ html: null, account_template_name: 'summer', variables });
    assert.equal(shared.body, `<p>Hi A &amp; B, ${sentence}</p>`);
  });

  it('sends to an existing list, some of its providers, so many of each', async () => {
    const list = await makeList({ provider_filter: null, seeds_per_provider: 3 });
    const result = await place({ seed_list: list.target_email, provider_filter: [GATEWAY], max_seeds_per_provider: 2 });
    assert.deepEqual(
      [result.keybox_email, result.delivery_stats.all.total, Object.keys(result.delivery_stats).length],
      [list.target_email, 2, 2],
    );
    assert.ok(result.seed_results.every(({ email }: any) => list.mailing_list.includes(email)));
  });

  it('counts spam and refusals, with the words of who refused', async () => {
    const {
      delivery_stats: { all },
      seed_results: seeds,
    } = await place({ subject: 'YOU WON $$$ ACT NOW!!!', html: SCAM, provider_filter: null });
    assert.deepEqual([all.inbox, all.spam + all.missing, all.missing, all.total], [0, 8, all.rejected, 8]);
    const refused = seeds.find(({ provider }: any) => provider === GATEWAY);
    assert.deepEqual(
      [refused.state, refused.destination, refused.received_at, refused.copies],
      ['missing', '', null, 0],
    );
    assert.match(refused.smtp_reply, /^554 5\.7\.1 /);
  });

  const refused: [string, object, number, RegExp][] = [
    [
      'a sender that is not verified',
      { from: 'a@elsewhere.example' },
      400,
      /^from names elsewhere\.example, which is not a verified sending domain of this account/,
    ],
    ['a sender that is no address', { from: 'nobody' }, 400, /^from "nobody" is not an email address\.$/],
    ['a message without content', { html: null }, 400, /^html, template_name: give one of them\.$/],
    [
      'both html and a template',
      { template_name: 'spring' },
      400,
      /^html, template_name: give one of them, not both\.$/,
    ],
    [
      'a template that does not exist',
      { html: null, template_name: 'spring' },
      404,
      /^There is no template named "spring"\.$/,
    ],
    [
      'a template that cannot be filled',
      { html: '<p>\n{{#if x}}</p>', variables: { x: '1' } },
      400,
      /^html is no template that can be filled, line \d+: /,
    ],
    [
      'a provider that does not exist',
      { provider_filter: ['gmail.com'] },
      400,
      /^provider_filter names "gmail\.com", which is no provider/,
    ],
    [
      'a list that does not exist',
      { seed_list: 'ibp-x@galley.test' },
      404,
      /^No seed list has the id "ibp-x@galley\.test"\.$/,
    ],
    ['an address that is none', { sending_ip: 'here' }, 400, /^sending_ip "here" is not an IP address\.$/],
    [
      'a pool that does not exist',
      { sending_ip_pool_id: 'p1' },
      400,
      /^sending_ip_pool_id names no IP pool of this account\.$/,
    ],
    [
      'a header that is the test’s own',
      { headers: { To: 'x@y.example' } },
      400,
      /^headers\.To is set by the test itself\.$/,
    ],
    [
      'a header that describes the structure',
      { headers: { 'Content-Type': 'text/plain' } },
      400,
      /^headers\.Content-Type is set by the test itself\.$/,
    ],
    ['a subject that no column holds', { subject: 'a\0b' }, 400, /^subject must not hold the character U\+0000\.$/],
    [
      'headers without end',
      { headers: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`X-${n}`, 'x'])) },
      400,
      /^headers holds more than 100 fields\.$/,
    ],
  ];
  for (const [what, body, code, message] of refused) {
    it(`refuses ${what}`, async () => {
      const [status, answer] = await answerOf('POST /v4/inbox/tests', { from, subject: 'x', html: LETTER, ...body });
      assert.deepEqual([status, Object.keys(answer)], [code, ['message']], JSON.stringify(answer));
      assert.match(answer.message, message);
    });
  }
});

describe('seed lists', () => {
  it('are generated with addresses of their own', async () => {
    const [status, list] = await answerOf(`POST ${LISTS}`, {
      name: 'spring',
      provider_filter: [GATEWAY],
      seeds_per_provider: 2,
      remote_id: 'r1',
    });
    const [target, ...seeds] = list.mailing_list.split(',');
    assert.match(target, /^ibp-[0-9a-f-]{36}@galley\.test$/);
    assert.ok(
      seeds.length === 2 && seeds.every((email: string) => /^s-[0-9a-f]{16}@gateway\.galley\.test$/.test(email)),
    );
    assert.deepEqual(
      [status, list],
      [
        200,
        {
          kid: list.kid,
          created_at: list.created_at,
          updated_at: list.created_at,
          last_result_at: NO_TIME,
          target_email: target,
          mailing_list: list.mailing_list,
          previous_mailing_list: '',
          regen_at: NO_TIME,
          regen_needed: false,
          sending_domains: [],
          has_results: false,
          name: 'spring',
          seed_filter: '.*',
          provider_filter: [GATEWAY],
          max_seeds_per_provider: 0,
          tags: { remote_id: 'r1' },
          is_auto_generated: false,
          version: 1,
          delivery_stats: { all: EMPTY },
          results: [],
          delivery_totals: { real: { ...EMPTY, provider: 'real' }, simulated: { ...EMPTY, provider: 'simulated' } },
        },
      ],
    );
    const [, { seedlist, ...same }] = await answerOf(`GET ${LISTS}/${target}`);
    assert.deepEqual([same, seedlist], [list, list]);
  });

  it('take forms and queries, as clients send them', async () => {
    const form = new FormData();
    form.append('name', 'by form');
    form.append('provider_filter', GATEWAY);
    form.append('provider_filter', WEBMAIL);
    const response = await fetch(`${app.url}${LISTS}?seeds_per_provider=1`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Basic ${btoa(`api:${app.key}`)}` },
    });
    const list: any = await response.json();
    assert.deepEqual(
      [response.status, list.name, list.provider_filter, list.mailing_list.split(',').length],
      [200, 'by form', [GATEWAY, WEBMAIL], 3],
    );
    const [status, byQuery] = await answerOf(`POST ${LISTS}?name=by+query&provider_filter=${GATEWAY}`);
    assert.deepEqual([status, byQuery.name, byQuery.provider_filter], [200, 'by query', [GATEWAY]]);
  });

  it('are changed, and generated anew', async () => {
    const before = await makeList({ name: 'old' });
    const [, renamed] = await answerOf(`PUT ${LISTS}/${before.target_email}`, { name: 'new' });
    assert.deepEqual([renamed.name, renamed.mailing_list, renamed.version], ['new', before.mailing_list, 1]);
    const [, again] = await answerOf(`PUT ${LISTS}/${before.target_email}?regen=true`);
    assert.deepEqual(
      [again.target_email, again.previous_mailing_list, again.version, TIME.test(again.regen_at)],
      [before.target_email, before.mailing_list, 2, true],
    );
    assert.ok(
      again.mailing_list
        .split(',')
        .slice(1)
        .every((email: string) => !before.mailing_list.includes(email)),
    );
    const [, other] = await answerOf(`PUT ${LISTS}/${before.target_email}`, { provider_filter: [WEBMAIL] });
    assert.match(other.mailing_list, /@webmail\.galley\.test$/);
  });

  it('keep only the addresses that a filter matches, and refuse one that could take for ever', async () => {
    const list = await makeList({ provider_filter: null, seed_filter: '@(gateway|isp)\\.' });
    assert.equal(list.mailing_list.split(',').length, 5);
    for (const filter of ['(a+)+$', '[', 'a*b*c*d*', '(?=x)'])
      assert.equal((await answerOf(`POST ${LISTS}`, { seed_filter: filter }))[0], 400, filter);
  });

  it('are listed by name and time, page by page, with absolute addresses', async () => {
    const made = [];
    for (const name of ['page a', 'page b', 'page c']) made.push((await makeList({ name })).kid);
    const [, newest] = await answerOf(`GET ${LISTS}?limit=1`);
    assert.deepEqual([newest.items[0].kid, newest.total >= 3], [made[2], true]);
    assert.deepEqual(newest.paging, {
      first: `${app.url}${LISTS}?limit=1&ascending=0&offset=0`,
      last: `${app.url}${LISTS}?limit=1&ascending=0&offset=${newest.total - 1}`,
      next: `${app.url}${LISTS}?limit=1&ascending=0&cursor=${made[2]}`,
    });
    const [, second] = await answerOf(`GET ${newest.paging.next.slice(app.url.length)}`);
    assert.equal(second.items[0].kid, made[1]);
    const [, back] = await answerOf(`GET ${second.paging.previous.slice(app.url.length)}`);
    assert.equal(back.items[0].kid, made[2]);
    const [, byName] = await answerOf(`GET ${LISTS}?name=page+b`);
    assert.deepEqual([byName.items.map(({ kid }: any) => kid), byName.total], [[made[1]], 1]);
    const [, sorted] = await answerOf(`GET ${LISTS}?sort=name&ascending=1&limit=1000`);
    const names = sorted.items.map(({ name }: any) => name).filter((name: string) => name.startsWith('page '));
    assert.deepEqual(names, ['page a', 'page b', 'page c']);
    assert.equal(new URL(sorted.paging.first).searchParams.get('limit'), '100');
    assert.equal(
      (await answerOf(`GET ${LISTS}?time_before=${encodeURIComponent('Fri, 20 Nov 2015 10:00:00 +0000')}`))[1].total,
      0,
    );
    assert.equal((await answerOf(`GET ${LISTS}?time_after=2015-11-20T00:00:00Z`))[1].total, newest.total);
    assert.deepEqual(await answerOf(`GET ${LISTS}?offset=1&cursor=x`), [
      400,
      { message: 'cursor, offset: give one of them, not both.' },
    ]);
    assert.deepEqual(await answerOf(`GET ${LISTS}?time_after=soon`), [
      400,
      { message: 'time_after "soon" is not a time; give it as RFC 2822 or ISO 8601.' },
    ]);
    assert.deepEqual(await answerOf(`GET ${LISTS}?sort=size`), [
      400,
      { message: 'sort must be one of created_at, updated_at, name.' },
    ]);
  });

  it('name their attributes and filters', async () => {
    assert.deepEqual(await answerOf(`GET ${LISTS}/a`), [
      200,
      { items: { attribute: 'available attributes', values: ['name'] } },
    ]);
    const [, { items }] = await answerOf(`GET ${LISTS}/a/name`);
    assert.deepEqual([items.attribute, items.values.includes('spring')], ['name', true]);
    assert.deepEqual(await answerOf(`GET ${LISTS}/a/size`), [
      404,
      { message: 'No attribute of seed lists has the id "size".' },
    ]);
    const [, { supported_filters: supported }] = await answerOf(`GET ${LISTS}/_filters`);
    assert.deepEqual(supported.filters[0], { parameter: 'name', description: 'Get seedlists by name' });
  });

  it('are deleted; their results stay', async () => {
    const list = await makeList();
    const { result_id: id } = await place({ seed_list: list.target_email, provider_filter: null });
    assert.deepEqual(await answerOf(`DELETE ${LISTS}/${list.target_email}`), [
      200,
      { message: 'The seed list was deleted.' },
    ]);
    for (const operation of ['GET', 'PUT', 'DELETE'])
      assert.deepEqual(await answerOf(`${operation} ${LISTS}/${list.target_email}`), [
        404,
        { message: `No seed list has the id "${list.target_email}".` },
      ]);
    assert.equal((await completed(id)).keybox_email, list.target_email);
  });

  it('become results by themselves when somebody else mails to them', async () => {
    const list = await makeList({ provider_filter: [GATEWAY, WEBMAIL] });
    const transport = nodemailer.createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    const to = list.mailing_list.split(',');
    const mail = { from: 'news@shop.example', subject: 'Sent from elsewhere', html: LETTER };
    for (const address of to)
      await transport
        .sendMail({ ...mail, to: address })
        .catch((error: { responseCode?: number }) => assert.equal(error.responseCode, 550));
    transport.close();
    const [
      ,
      {
        items: [result],
      },
    ] = await answerOf(`GET ${RESULTS}?target_email=${encodeURIComponent(list.target_email)}`);
    const done = await completed(result.result_id);
    assert.deepEqual(
      [done.subject, done.sender, done.delivery_stats.all.total, done.delivery_stats.all.pending],
      ['Sent from elsewhere', 'news@shop.example', 4, 0],
    );
    const [, { has_results: has, results, last_result_at: last }] = await answerOf(`GET ${LISTS}/${list.target_email}`);
    assert.deepEqual([has, results[0].result_id, TIME.test(last)], [true, result.result_id, true]);
  });
});

describe('results', () => {
  it('are listed by sender, subject and list, and limited to a provider', async () => {
    const made = await place({ subject: 'A subject to be found' });
    const [
      status,
      {
        items: [listed],
        total,
        paging,
      },
    ] = await answerOf(`GET ${RESULTS}?subject=to+be+FOUND&sender=${encodeURIComponent(from)}`);
    assert.deepEqual(
      [status, total, listed.result_id, listed.body, listed.seed_results[0].headers, paging.next],
      [200, 1, made.result_id, undefined, undefined, undefined],
    );
    assert.equal((await answerOf(`GET ${RESULTS}?senderaddr=x@y.example`))[1].total, 0);
    const [, { result }] = await answerOf(`GET ${RESULTS}/${made.result_id}?provider=${GATEWAY}`);
    assert.deepEqual(
      [Object.keys(result.delivery_stats), result.delivery_stats.all.total, result.seed_results.length],
      [[GATEWAY, 'all'], 1, 1],
    );
    assert.equal((await answerOf(`GET ${RESULTS}/${made.rid}`))[1].result.result_id, made.result_id);
  });

  it('are compared with the one before of the same list, and with any that is named', async () => {
    const list = await makeList({ provider_filter: null, seeds_per_provider: 2 });
    const good = await place({ seed_list: list.target_email, provider_filter: null });
    const bad = await place({
      seed_list: list.target_email,
      provider_filter: null,
      subject: 'YOU WON $$$ ACT NOW!!!',
      html: SCAM,
    });
    assert.equal(good.comparison, null);
    const { all, [GATEWAY]: gateway } = bad.comparison.providers;
    assert.deepEqual(
      [bad.comparison.result_id, all.inbox.before, all.inbox.after, all.inbox.change, all.inbox.verdict],
      [good.result_id, 1, 0, -1, 'simulated'],
    );
    assert.deepEqual([gateway.inbox.verdict, gateway.inbox.interval], ['simulated', null]);
    const [, { result: same }] = await answerOf(`GET ${RESULTS}/${good.result_id}?compare=${good.result_id}`);
    assert.deepEqual(
      [same.comparison.providers.all.inbox.change, same.comparison.providers.all.inbox.verdict],
      [0, 'simulated'],
    );
    assert.equal((await answerOf(`GET ${RESULTS}/${good.result_id}?compare=nothing`))[0], 404);
  });

  it('name their attributes and filters', async () => {
    assert.deepEqual(await answerOf(`GET ${RESULTS}/a`), [
      200,
      { items: { attribute: 'available attributes', values: ['subject', 'sender'] } },
    ]);
    const [, { items }] = await answerOf(`GET ${RESULTS}/a/sender`);
    assert.deepEqual([items.attribute, items.values.includes(from)], ['sender', true]);
    assert.equal((await answerOf(`GET ${RESULTS}/a/size`))[0], 404);
    const [, { supported_filters: supported }] = await answerOf(`GET ${RESULTS}/_filters`);
    assert.deepEqual(
      supported.filters.map(({ parameter }: any) => parameter),
      ['senderaddr', 'subject', 'provider', 'target_email', 'time_before', 'time_after'],
    );
  });

  it('show a message that was stored when messages were JSON', async () => {
    const { result_id: id } = await place();
    const { blobs } = app.galley.outside;
    const before = { from, subject: 'Garden notes', html: `${LETTER}<p>Gr\u00fc\u00dfe</p>`, text: null, headers: {} };
    await blobs.deleteAll(`placements/${id}`);
    await blobs.put(`placements/${id}/message.json`, Buffer.from(JSON.stringify(before)), 'application/json');
    assert.equal((await answerOf(`GET ${RESULTS}/${id}`))[1].result.body, before.html);
  });

  it('are deleted with everything of them', async () => {
    const { result_id: id } = await place();
    assert.deepEqual(await answerOf(`DELETE ${RESULTS}/${id}`), [
      200,
      { message: 'The result was deleted.', Message: 'The result was deleted.' },
    ]);
    for (const operation of [
      `GET ${RESULTS}/${id}`,
      `DELETE ${RESULTS}/${id}`,
      `GET /v4/inbox/sharing/${id}`,
      `PUT /v4/inbox/sharing/${id}?enabled=true`,
    ])
      assert.deepEqual(await answerOf(operation), [404, { message: `No placement result has the id "${id}".` }]);
    await app.idle();
    for (const name of ['message', 'message.json'])
      assert.equal(await app.galley.outside.blobs.get(`placements/${id}/${name}`), undefined);
  });

  it('are another account’s secret', async () => {
    const { result_id: id, keybox_email: list } = await place();
    const { body } = await app.call('POST /v5/accounts/subaccounts?name=stranger');
    const { body: made } = await app.call('POST /v1/keys', {
      headers: { 'x-service-account-id': body.subaccount.id },
      body: { role: 'admin' },
    });
    for (const operation of [
      `GET ${RESULTS}/${id}`,
      `DELETE ${RESULTS}/${id}`,
      `GET /v4/inbox/sharing/${id}`,
      `GET ${LISTS}/${list}`,
      `PUT ${LISTS}/${list}`,
      `DELETE ${LISTS}/${list}`,
    ])
      assert.equal((await app.call(operation, { key: made.key.secret })).status, 404, operation);
    for (const path of [RESULTS, LISTS])
      assert.equal((await app.call(`GET ${path}`, { key: made.key.secret })).body.total, 0);
    assert.equal((await app.call(`GET ${RESULTS}`, { key: null })).status, 401);
  });
});

describe('sharing', () => {
  it('opens a result to whoever has the link, until it ends or is switched off', async () => {
    const { result_id: id } = await place();
    const path = `/v4/inbox/sharing/${id}`;
    const closed = { result_id: id, enabled: false, url_id: '', url: '', api_url: '' };
    assert.deepEqual(await answerOf(`GET ${path}`), [200, { ...closed, sharing: closed }]);
    const [status, shared] = await answerOf(`PUT ${path}?enabled=true`);
    const { url_id: share, expires_at: expiresAt } = shared;
    const open = {
      result_id: id,
      enabled: true,
      expires_at: expiresAt,
      url_id: share,
      url: `${app.url}/shared-placement/${share}`,
      api_url: `${app.url}/v4/inbox/sharing/public/${share}`,
    };
    assert.deepEqual([status, shared, UUID.test(share)], [200, { ...open, sharing: open }, true]);
    const inPublic = await app.call(`GET /v4/inbox/sharing/public/${share}`, { key: null });
    assert.deepEqual(
      [inPublic.status, inPublic.body.result.result_id, inPublic.body.result.sharing_enabled],
      [200, id, true],
    );
    assert.deepEqual(await answerOf(`PUT ${path}`), [400, { message: 'enabled is required.' }]);
    await answerOf(`PUT ${path}?enabled=false`);
    assert.equal((await app.call(`GET /v4/inbox/sharing/public/${share}`, { key: null })).status, 404);
    await answerOf(`PUT ${path}?enabled=true`);
    app.clock.advance(31 * 86_400_000);
    assert.equal((await app.call(`GET /v4/inbox/sharing/public/${share}`, { key: null })).status, 410);
    const [, renewed] = await answerOf(`PUT ${path}?enabled=true`);
    assert.notEqual(renewed.url_id, share);
    assert.equal((await app.call(`GET /v4/inbox/sharing/public/${share}`, { key: null })).status, 404);
  });
});

describe('GET /v4/inbox/providers', () => {
  it('lists the local receivers', async () => {
    const [status, { items }] = await answerOf('GET /v4/inbox/providers');
    const [first] = items;
    assert.deepEqual(
      [status, items.length, first],
      [
        200,
        8,
        {
          domain: WEBMAIL,
          display_name: 'Simulated consumer webmail with tabs',
          simulated: true,
          region: 'Global',
          created_at: first.created_at,
          updated_at: first.updated_at,
          max_email_count: 50,
          unsupported_authentications: [],
          category: 'b2c',
          kind: 'receiver',
          about: first.about,
        },
      ],
    );
  });
});
