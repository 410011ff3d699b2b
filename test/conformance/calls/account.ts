// Keys, subaccounts and sending domains.
import type { Bed, Calls, Request } from '../bed.ts';
import { domainOf } from './domains.ts';
import { invalid, unknown, withoutKey } from './wrong.ts';

const SUBACCOUNTS = '/v5/accounts/subaccounts';
const SUBACCOUNT = `${SUBACCOUNTS}/{subaccount_id}`;

const newDomain = (name: string): Request => ({ form: { name } });
const named = async (bed: Bed, name: string): Promise<Request> => ({ path: { name: await domainOf(bed, name) } });
const domain = (bed: Bed): Promise<Request> => named(bed, 'letters.example.com');
const makeSubaccount = async (bed: Bed, name: string): Promise<Request> => {
  const { subaccount } = await bed.get(`POST ${SUBACCOUNTS}`, { form: { name } });
  return { path: { subaccount_id: subaccount.id } };
};
const subaccount = (bed: Bed): Promise<Request> => bed.once('subaccount', () => makeSubaccount(bed, 'garden'));
/** The lists have null where these are not known; existing clients have strings there, and stumble over null. */
const unknownOfKey = (at: string): string[] => ['domain_name', 'requestor', 'user_name'].map((name) => `${at}.${name}`);
const newKey: Request = { form: { role: 'developer', description: 'of a test' } };

const LOCAL = '127.0.0.0/8';
const local: Request = { form: { address: LOCAL, description: 'This machine' } };
const localEntry = async (bed: Bed): Promise<Request> => {
  await bed.once('ip allowlist', () => bed.get('POST /v2/ip_whitelist', local));
  return {};
};
const MONTHLY = '/limit/custom/monthly';
/** A limit that is used up: as many messages as the least of them. */
async function useUpLimit(bed: Bed): Promise<void> {
  const { items } = await bed.get('GET /v4/domains');
  const { name } = items.find(({ type }: { type: string }) => type === 'sandbox');
  await bed.get(`PUT /v5/accounts${MONTHLY}`, { query: { limit: '1000' } });
  const to = Array.from({ length: 1000 }, (_, place) => `delivered+${place}@${name}`).join(',');
  const { current } = await bed.get(`GET /v5/accounts${MONTHLY}`);
  const rest = to
    .split(',')
    .slice(0, 1000 - current)
    .join(',');
  const form = { from: `ann@${name}`, to: rest, subject: 'Hello', text: 'Hello' };
  if (rest !== '') await bed.get('POST /v3/{domain_name}/messages', { path: { domain_name: name }, form });
}

const TRACKING = '/v3/domains/{name}/tracking';
const SANDBOX = '/v5/sandbox/auth_recipients';
const addRecipient = (bed: Bed, email: string) => bed.get(`POST ${SANDBOX}`, { query: { email } });

/** What an account has. */
export const ACCOUNT_CALLS: Calls = {
  'GET /v4/domains': {
    well: async (bed) => {
      await domain(bed);
      return { query: { limit: '10', skip: '0', sort: 'name:asc', search: 'letters' } };
    },
    wrong: invalid({ query: { limit: '1001' } }),
  },
  'POST /v4/domains': { well: () => newDomain('made.example.com'), wrong: invalid({ form: { wildcard: 'no' } }) },
  'GET /v4/domains/{name}': { well: domain, wrong: unknown('name') },
  'PUT /v4/domains/{name}': {
    well: async (bed) => ({ ...(await domain(bed)), form: { require_tls: 'true', wildcard: 'false' } }),
    wrong: unknown('name', { form: { require_tls: 'true' } }),
  },
  'PUT /v4/domains/{name}/verify': { well: domain, wrong: unknown('name') },
  'DELETE /v3/domains/{name}': { well: (bed) => named(bed, 'deleted.example.com'), wrong: unknown('name') },
  [`GET ${TRACKING}`]: { well: domain, wrong: unknown('name') },
  [`PUT ${TRACKING}/click`]: {
    well: async (bed) => ({ ...(await domain(bed)), form: { active: 'yes' } }),
    wrong: unknown('name', { form: { active: 'yes' } }),
  },
  [`PUT ${TRACKING}/open`]: {
    well: async (bed) => ({ ...(await domain(bed)), form: { active: 'true', place_at_the_top: 'no' } }),
    wrong: unknown('name', { form: { active: 'true' } }),
  },
  [`PUT ${TRACKING}/unsubscribe`]: {
    well: async (bed) => ({
      ...(await domain(bed)),
      form: { active: 'no', html_footer: '<p>%unsubscribe_url%</p>', text_footer: '%unsubscribe_url%' },
    }),
    wrong: unknown('name', { form: { active: 'no' } }),
  },
  [`GET ${SUBACCOUNT}`]: { well: subaccount, wrong: unknown('subaccount_id') },
  [`GET ${SUBACCOUNTS}`]: {
    well: async (bed) => {
      await subaccount(bed);
      return { query: { sort: 'asc', filter: 'gard', limit: '10', skip: '0', enabled: 'true', closed: 'false' } };
    },
    wrong: invalid({ query: { sort: 'sideways' } }),
  },
  [`POST ${SUBACCOUNTS}`]: { well: () => ({ query: { name: 'orchard' } }), wrong: invalid({}) },
  [`POST ${SUBACCOUNT}/disable`]: { well: (bed) => makeSubaccount(bed, 'shed'), wrong: unknown('subaccount_id') },
  [`POST ${SUBACCOUNT}/enable`]: {
    well: async (bed) => {
      const named = await makeSubaccount(bed, 'greenhouse');
      await bed.get(`POST ${SUBACCOUNT}/disable`, named);
      return named;
    },
    wrong: unknown('subaccount_id'),
  },
  [`DELETE ${SUBACCOUNTS}`]: {
    well: async (bed) => {
      const { path } = await makeSubaccount(bed, 'compost');
      return { headers: { 'X-Mailgun-On-Behalf-Of': path!['subaccount_id'] as string } };
    },
    wrong: invalid({}),
  },
  [`PUT ${SUBACCOUNT}/features`]: {
    well: async (bed) => ({
      ...(await subaccount(bed)),
      form: {
        email_preview: '{"enabled":true}',
        inbox_placement: '{"enabled":true}',
        sending: '{"enabled":true}',
        validations: '{"enabled":false}',
        validations_bulk: '{"enabled":false}',
      },
    }),
    wrong: invalid(async (bed) => ({ ...(await subaccount(bed)), form: { sending: 'no' } })),
  },
  [`GET ${SUBACCOUNT}${MONTHLY}`]: {
    well: async (bed) => {
      const named = await subaccount(bed);
      await bed.get(`PUT ${SUBACCOUNT}${MONTHLY}`, { ...named, query: { limit: '10000' } });
      return named;
    },
    wrong: invalid({ path: { subaccount_id: 'nobody' } }),
  },
  [`PUT ${SUBACCOUNT}${MONTHLY}`]: {
    well: async (bed) => ({ ...(await subaccount(bed)), query: { limit: '10000' } }),
    wrong: invalid(async (bed) => ({ ...(await subaccount(bed)), query: { limit: '999' } })),
  },
  [`DELETE ${SUBACCOUNT}${MONTHLY}`]: {
    well: async (bed) => {
      const named = await makeSubaccount(bed, 'meadow');
      await bed.get(`PUT ${SUBACCOUNT}${MONTHLY}`, { ...named, query: { limit: '10000' } });
      return named;
    },
    wrong: invalid({ path: { subaccount_id: 'nobody' } }),
  },
  [`GET /v5/accounts${MONTHLY}`]: {
    well: async (bed) => {
      await bed.get(`PUT /v5/accounts${MONTHLY}`, { query: { limit: '1000000' } });
      return {};
    },
    wrong: withoutKey(),
  },
  [`PUT /v5/accounts${MONTHLY}`]: {
    well: () => ({ query: { limit: '1000000' } }),
    wrong: invalid({ query: { limit: '999' } }),
  },
  [`DELETE /v5/accounts${MONTHLY}`]: {
    well: async (bed) => {
      await bed.get(`PUT /v5/accounts${MONTHLY}`, { query: { limit: '1000000' } });
      return {};
    },
    // There is none any more.
    wrong: invalid({}),
  },
  'PUT /v5/accounts/limit/custom/enable': {
    well: async (bed) => {
      await useUpLimit(bed);
      return {};
    },
    wrong: invalid({}),
  },
  'PUT /v5/accounts': {
    well: () => ({
      query: {
        name: 'Garden Letters',
        inactive_session_timeout: '3600',
        absolute_session_timeout: '43200',
        logout_redirect_url: 'https://example.com/bye',
      },
    }),
    wrong: invalid({}),
  },
  'POST /v5/accounts/resend_activation_email': { well: () => ({}), wrong: withoutKey() },
  [`GET ${SANDBOX}`]: {
    well: async (bed) => {
      await addRecipient(bed, 'listed@example.com');
      return {};
    },
    wrong: withoutKey(),
  },
  [`POST ${SANDBOX}`]: {
    well: () => ({ query: { email: 'added@example.com' } }),
    wrong: invalid({ query: { email: 'nobody' } }),
  },
  [`DELETE ${SANDBOX}/{email}`]: {
    well: async (bed) => {
      await addRecipient(bed, 'gone@example.com');
      return { path: { email: 'gone@example.com' } };
    },
    wrong: invalid({ path: { email: 'nobody' } }),
  },
  'GET /v1/keys': {
    well: () => ({}),
    wrong: invalid({ query: { kind: 'unheard' } }),
    leavesOut: unknownOfKey('items[]'),
  },
  'POST /v1/keys': {
    well: () => newKey,
    wrong: invalid({ form: { role: 'unheard' } }),
    leavesOut: unknownOfKey('key'),
  },
  'DELETE /v1/keys/{key_id}': {
    well: async (bed) => ({ path: { key_id: (await bed.get('POST /v1/keys', newKey)).key.id } }),
    wrong: unknown('key_id'),
  },
  'GET /v2/ip_whitelist': { well: localEntry, wrong: withoutKey() },
  'POST /v2/ip_whitelist': { well: () => local, wrong: invalid({ form: { address: 'nowhere' } }) },
  'PUT /v2/ip_whitelist': {
    well: async (bed) => {
      await localEntry(bed);
      return { form: { address: LOCAL, description: 'The machine itself' } };
    },
    wrong: invalid({ form: { address: '192.0.2.1' } }),
  },
  'DELETE /v2/ip_whitelist': {
    well: async (bed) => {
      await bed.get('POST /v2/ip_whitelist', { form: { address: '192.0.2.0/24' } });
      return { query: { address: '192.0.2.0/24' } };
    },
    wrong: invalid({ query: { address: '' } }),
  },
  'POST /v1/keys/public': { well: () => ({}), wrong: withoutKey() },
};
