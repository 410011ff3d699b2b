// Messages of the sandbox domain to a sandbox recipient, what becomes of them, and who may submit them.
import type { Bed, Calls, Request } from '../bed.ts';
import { domainOf, sandboxOf } from './domains.ts';
import { invalid, unknown, withoutKey } from './wrong.ts';

const LOGS = '/v1/analytics/logs';
const EVENTS = '/v3/{domain_name}/events';
const STORED = '/v3/domains/{domain_name}/messages/{storage_key}';
const CREDENTIALS = '/v3/domains/{domain_name}/credentials';
const RECIPIENTS = '/v5/sandbox/auth_recipients';
const SIGNING_KEY = '/v5/accounts/http_signing_key';

const named = async (bed: Bed): Promise<{ domain_name: string }> => ({ domain_name: await sandboxOf(bed) });
/** Delivered without leaving. */
const toOf = (domain: string): string => `delivered@${domain}`;
const newMessage = async (bed: Bed): Promise<Request> => {
  const path = await named(bed);
  const { domain_name: domain } = path;
  return {
    path,
    form: {
      from: `Ann <ann@${domain}>`,
      to: toOf(domain),
      subject: 'Garden notes',
      text: 'The roses are in flower.',
      html: '<p>The roses are in flower.</p>',
      'o:tag': ['spring', 'roses'],
      'v:season': 'spring',
      attachment: new File(['a,b\n'], 'list.csv', { type: 'text/csv' }),
    },
  };
};
const logQuery = async (bed: Bed): Promise<Request> => {
  const domain = await sandboxOf(bed);
  const filter = { AND: [{ attribute: 'domain', comparator: '=', values: [{ label: domain, value: domain }] }] };
  const pagination = { sort: 'timestamp:asc', limit: 10 };
  const from = new Date(Date.now() - 3_600_000).toUTCString();
  return { json: { start: from, events: ['accepted', 'delivered'], filter, include_totals: true, pagination } };
};
/** A message that was delivered, as the logs say. */
const delivered = (bed: Bed): Promise<{ storageKey: string }> =>
  bed.once('delivered', async () => {
    await bed.get('POST /v3/{domain_name}/messages', await newMessage(bed));
    const isDelivered = ({ event }: { event: string }): boolean => event === 'delivered';
    const { items } = await bed.until(`POST ${LOGS}`, await logQuery(bed), ({ items: found }) =>
      found.some(isDelivered),
    );
    return { storageKey: items.find(isDelivered).storage.key };
  });
const stored = async (bed: Bed): Promise<Request> => {
  const { storageKey } = await delivered(bed);
  return { path: { ...(await named(bed)), storage_key: storageKey } };
};
const withPath =
  (request: Request) =>
  async (bed: Bed): Promise<Request> => ({ ...request, path: await named(bed) });

const ownDomain = async (bed: Bed, name: string): Promise<{ domain_name: string }> => ({
  domain_name: await domainOf(bed, name),
});
const makeCredentials = async (bed: Bed, login: string): Promise<Request> => {
  const path = await ownDomain(bed, 'mailboxes.example.com');
  await bed.get(`POST ${CREDENTIALS}`, { path, form: { login, password: 'a long password' } });
  return { path: { ...path, spec: login } };
};

const CREDENTIAL_CALLS: Calls = {
  [`GET ${CREDENTIALS}`]: {
    well: async (bed) => {
      const { path } = await bed.once('credentials', () => makeCredentials(bed, 'ann'));
      return { path: { domain_name: path!['domain_name']! }, query: { skip: '0', limit: '10' } };
    },
    wrong: invalid(async (bed) => ({
      path: await ownDomain(bed, 'mailboxes.example.com'),
      query: { limit: '1001' },
    })),
  },
  [`POST ${CREDENTIALS}`]: {
    well: async (bed) => ({
      path: await ownDomain(bed, 'mailboxes.example.com'),
      form: { login: 'bob', password: 'a long password' },
    }),
    wrong: invalid(async (bed) => ({ path: await ownDomain(bed, 'mailboxes.example.com'), form: { password: 'x' } })),
  },
  [`DELETE ${CREDENTIALS}`]: {
    well: async (bed) => ({ path: await ownDomain(bed, 'no-mailboxes.example.com') }),
    wrong: unknown('domain_name'),
  },
  [`PUT ${CREDENTIALS}/{spec}`]: {
    well: async (bed) => ({ ...(await makeCredentials(bed, 'cyd')), form: { password: 'a longer password' } }),
    wrong: async (bed) => ({
      ...unknown('spec', { path: await ownDomain(bed, 'mailboxes.example.com') })(),
      form: { password: 'a longer password' },
    }),
  },
  [`DELETE ${CREDENTIALS}/{spec}`]: {
    well: (bed) => makeCredentials(bed, 'dan'),
    wrong: async (bed) => unknown('spec', { path: await ownDomain(bed, 'mailboxes.example.com') })(),
  },
};

/** Messages, logs, events, credentials, authorized recipients, the key of webhooks. */
export const SENDING_CALLS: Calls = {
  'POST /v3/{domain_name}/messages': {
    well: newMessage,
    wrong: invalid(withPath({ form: { from: 'ann@example.com', text: 'To nobody' } })),
  },
  'POST /v3/{domain_name}/messages.mime': {
    well: async (bed) => {
      const path = await named(bed);
      const to = toOf(path.domain_name);
      const text = `From: ann@${path.domain_name}\r\nTo: ${to}\r\nSubject: Whole\r\n\r\nThe roses are in flower.\r\n`;
      return { path, form: { to, message: new File([text], 'message.eml', { type: 'message/rfc822' }) } };
    },
    wrong: invalid(withPath({ form: { to: 'bob@example.com' } })),
  },
  [`GET ${STORED}`]: {
    well: stored,
    wrong: async (bed) => unknown('storage_key', { path: await named(bed) })(),
    needs: [`POST ${LOGS}`],
  },
  [`POST ${STORED}`]: {
    well: async (bed) => ({ ...(await stored(bed)), form: { to: toOf(await sandboxOf(bed)) } }),
    wrong: async (bed) => ({
      ...unknown('storage_key', { path: await named(bed) })(),
      form: { to: toOf(await sandboxOf(bed)) },
    }),
    needs: [`POST ${LOGS}`],
  },
  'GET /v3/domains/{name}/sending_queues': {
    well: async (bed) => ({ path: { name: await sandboxOf(bed) } }),
    wrong: unknown('name'),
  },
  'DELETE /v3/{domain_name}/envelopes': {
    well: async (bed) => ({ path: await ownDomain(bed, 'no-mailboxes.example.com') }),
    wrong: unknown('domain_name'),
  },
  [`POST ${LOGS}`]: {
    well: async (bed) => {
      await delivered(bed);
      return logQuery(bed);
    },
    wrong: invalid({
      json: { filter: { AND: [{ attribute: 'unheard', comparator: '=', values: [{ label: 'x', value: 'x' }] }] } },
    }),
  },
  [`GET ${EVENTS}`]: {
    well: async (bed) => {
      await delivered(bed);
      return { path: await named(bed), query: { event: 'accepted OR delivered', ascending: 'yes', limit: '10' } };
    },
    wrong: invalid(withPath({ query: { limit: 'many' } })),
    needs: [`POST ${LOGS}`],
  },
  ...CREDENTIAL_CALLS,
  [`GET ${SIGNING_KEY}`]: { well: () => ({}), wrong: withoutKey() },
  [`POST ${SIGNING_KEY}`]: { well: () => ({}), wrong: withoutKey() },
  [`GET ${RECIPIENTS}`]: {
    well: async (bed) => {
      await bed.once('recipient', () => bed.get(`POST ${RECIPIENTS}`, { query: { email: 'ann@shop.example' } }));
      return {};
    },
    wrong: withoutKey(),
  },
  [`POST ${RECIPIENTS}`]: {
    well: () => ({ query: { email: 'bob@shop.example' } }),
    wrong: invalid({ query: { email: 'nobody' } }),
  },
  [`DELETE ${RECIPIENTS}/{email}`]: {
    well: async (bed) => {
      await bed.get(`POST ${RECIPIENTS}`, { query: { email: 'cyd@shop.example' } });
      return { path: { email: 'cyd@shop.example' } };
    },
    wrong: invalid({ path: { email: 'nobody' } }),
  },
};
