import { invalid } from '../../../platform/errors/index.ts';
import { endpoint, type Context, type Outside } from '../../../platform/feature/index.ts';
import { pivotPaging } from '../../../platform/paging/index.ts';
import { mailDate } from '../../../platform/times/index.ts';
import { changeAuthority } from './authority.ts';
import { listRecords } from './checks.ts';
import { activateKey, changeSelector, createKey, deactivateKey, keysOfDomain, removeKey } from './key-actions.ts';
import * as contracts from './key-contract.ts';
import { listKeysOfAll, domainsOfKeys, type StoredKey } from './key-store.ts';
import { showKeysZone } from './keys-zone.ts';
import { ownRecord } from './records.ts';
import type { SendingDomain } from './store.ts';
import { withRecords } from './view.ts';

type NamedDomain = Pick<SendingDomain, 'id' | 'name' | 'settings'>;

function keyView({ config }: Pick<Outside, 'config'>, domain: NamedDomain, key: StoredKey) {
  const { name } = domain;
  const record = ownRecord(domain, key, config.dns.keysZone);
  const check = key.checked ?? { valid: 'unknown' as const, found: [] };
  return {
    signing_domain: name,
    selector: key.selector,
    active: key.isActive,
    created_at: mailDate(key.createdAt),
    dns_record: {
      is_active: key.isActive,
      cached: check.found,
      name: record.name,
      record_type: record.type,
      valid: check.valid,
      value: record.value,
    },
  };
}

/** How many keys a page has. mailgun.js 14 always sends the field, and sends it empty. Throws `invalid_request`. */
function limitOf(given: unknown): number {
  if (given === undefined || given === '') return 100;
  const limit = /^\d{1,4}$/.test(String(given)) ? Number(given) : 0;
  if (limit < 1 || limit > 1000) throw invalid('limit', 'must be a whole number from 1 to 1000.');
  return limit;
}

/** A field that is yes or no. Throws `invalid_request`. */
function selfOf(given: unknown): boolean {
  const word = String(given).trim().toLowerCase();
  if (['true', 'yes', '1'].includes(word)) return true;
  if (['false', 'no', '0'].includes(word)) return false;
  throw invalid('self', 'must be one of true, false, yes, no.');
}

interface Listing {
  page: '' | 'first' | 'next' | 'previous' | 'last';
  limit?: unknown;
  key?: string;
  signing_domain?: string;
  selector?: string;
}

const NAMELESS: NamedDomain = { id: '', name: '', settings: {} as NamedDomain['settings'] };

async function listed(ctx: Pick<Context, 'config' | 'db' | 'principal' | 'baseUrl'>, query: Listing) {
  const { accountId } = ctx.principal;
  const { signing_domain: domain, selector } = query;
  const page = { page: query.page || ('first' as const), limit: limitOf(query.limit), pivot: query.key };
  const conditions = { domain: domain?.toLowerCase() || undefined, selector: selector || undefined };
  const keys = await listKeysOfAll(ctx.db, accountId, { ...page, ...conditions });
  const domains = await domainsOfKeys(
    ctx.db,
    accountId,
    keys.map(({ domainId }) => domainId),
  );
  return {
    items: keys.map((key) => keyView(ctx, domains.get(key.domainId) ?? NAMELESS, key)),
    paging: pivotPaging(`${ctx.baseUrl}/v1/dkim/keys`, {
      name: 'key',
      page,
      shown: keys.map(({ id }) => id),
      conditions: { signing_domain: conditions.domain, selector: conditions.selector },
    }),
  };
}

/** Of the keys of domains. */
export const keyEndpoints = [
  endpoint(contracts.getKeysZone, (ctx) => showKeysZone(ctx, ctx.principal.accountId)),
  endpoint(contracts.listAllKeys, (ctx, { query }) => listed(ctx, query)),
  endpoint(contracts.createDomainKey, async (ctx, { body }) => {
    const { signing_domain: domain, selector, pem } = body;
    const bits = body.bits === undefined ? undefined : Number(body.bits) === 1024 ? 1024 : 2048;
    const made = await createKey(ctx, ctx.principal.accountId, { domain, selector, bits, pem });
    return keyView(ctx, made.domain, made.key);
  }),
  endpoint(contracts.deleteDomainKey, async (ctx, { query }) => {
    await removeKey(ctx, ctx.principal.accountId, { domain: query.signing_domain, selector: query.selector });
    return { message: 'success' };
  }),
  endpoint(contracts.listKeys, async (ctx, { params }) => {
    const keys = await keysOfDomain(ctx, ctx.principal.accountId, params.authority_name);
    return { items: keys.map(({ domain, key }) => keyView(ctx, domain, key)) };
  }),
  endpoint(contracts.activateKey, async (ctx, { params: { authority_name: name, selector } }) => {
    const { domain, key } = await activateKey(ctx, ctx.principal.accountId, { domain: name, selector });
    return { message: 'domain key activated', authority: domain.name, selector: key.selector, active: true };
  }),
  endpoint(contracts.deactivateKey, async (ctx, { params: { authority_name: name, selector } }) => {
    const { domain, key } = await deactivateKey(ctx, ctx.principal.accountId, { domain: name, selector });
    return { message: 'domain key deactivated', authority: domain.name, selector: key.selector, active: false };
  }),
  endpoint(contracts.putAuthority, async (ctx, { params, query, body }) => {
    const wanted = { name: params.name, isSelf: selfOf(body.self ?? query.self) };
    const { domain, isChanged } = await changeAuthority(ctx, ctx.principal.accountId, wanted);
    return {
      message: isChanged ? 'Domain DKIM authority has been changed' : 'Domain DKIM authority is the same as before',
      changed: isChanged,
      sending_dns_records: withRecords(domain, await listRecords(ctx, domain)).sending_dns_records,
    };
  }),
  endpoint(contracts.putSelector, async (ctx, { params, query, body }) => {
    const selector = body.dkim_selector ?? query.dkim_selector;
    await changeSelector(ctx, ctx.principal.accountId, { domain: params.name, selector });
    return { message: 'DKIM selector changed' };
  }),
];
