// The older form: fixed groups, most failures first.
import { invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { readToken, tokensAround, type TokenList } from '../../../platform/paging/index.ts';
import { DAY_MS } from '../../../platform/times/index.ts';
import { keptSince, wholeRange } from '../_figures/index.ts';
import { eventView, readEvents } from '../events/index.ts';
import { accountsOf } from '../metrics/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import { classOfEvent } from './add.ts';
import { GROUPS } from './contract.ts';
import { classOfRule, entityName } from './rules.ts';
import { GROUPINGS, listSamples, readFigures, type FigureColumn, type FigureSum, type FigureTest } from './store.ts';

type Doors = Pick<Context, 'db' | 'clock' | 'principal' | 'config' | 'secrets'>;

interface Scope {
  include_subaccounts: boolean;
  duration: string;
}

/** More groups are not read. */
const ROWS_MAX = 100_000;

/** Days up to now. Throws `invalid_request`. */
function daysOf({ clock }: Doors, duration: string) {
  const now = clock.now();
  const days = Number(duration.slice(0, -1));
  if (days > 400) throw invalid('duration', 'must be from 1d to 400d: figures are kept no longer.');
  const from = new Date(now.getTime() - (days - 1) * DAY_MS);
  return wholeRange({ from, to: now }, 'day', keptSince('day', now));
}

interface Asked {
  by: readonly FigureColumn[];
  where?: readonly FigureTest[];
}

/** Sums of the caller's, most first. */
async function sumsBy(doors: Doors, scope: Scope, { by, where = [] }: Asked): Promise<FigureSum[]> {
  const accountIds = await accountsOf(doors, { include_subaccounts: scope.include_subaccounts });
  const query = { accountIds, ...daysOf(doors, scope.duration), isHourly: false, grouping: GROUPINGS.plain };
  const sums = await readFigures(doors.db, { ...query, by, where, limit: ROWS_MAX });
  const key = (sum: FigureSum): string => JSON.stringify(by.map((column) => sum[column]));
  return sums.sort((one, other) => other.n - one.n || (key(one) < key(other) ? -1 : 1));
}

const isOne = (column: FigureTest['column'], value: string): FigureTest => ({
  column,
  is: 'in',
  values: [value.toLowerCase()],
  isNot: false,
});

const COLUMNS: Readonly<Record<(typeof GROUPS)[number], FigureColumn>> = {
  'subaccount.id': 'accountId',
  'domain.name': 'domain',
  'entity-id': 'entity',
  'rule-id': 'rule',
};

/** Throws `invalid_request` naming what is valid. */
function columnsOf(group: string | readonly string[] | undefined): FigureColumn[] {
  const names = group === undefined ? [...GROUPS] : typeof group === 'string' ? group.split(',') : group;
  return [...new Set(names)].map((name) => {
    if (!Object.hasOwn(COLUMNS, name))
      throw invalid('group', `must be one of ${GROUPS.join(', ')}; "${name.slice(0, 100)}" is none.`);
    return COLUMNS[name as keyof typeof COLUMNS];
  });
}

const sumView = ({ accountId, domain, entity, rule, n }: FigureSum) => ({
  ...(accountId !== undefined && { subaccount: { id: accountId } }),
  ...(domain !== undefined && { domain: { name: domain } }),
  ...(entity !== undefined && { 'entity-id': entity }),
  ...(rule !== undefined && { 'rule-id': rule, 'short-explanation': classOfRule(rule).name }),
  bounced: { total: n },
});

export async function statsOf(
  doors: Doors,
  { group, limit, ...scope }: Scope & { group?: string | readonly string[]; limit: number },
) {
  const sums = await sumsBy(doors, scope, { by: columnsOf(group) });
  const { from, to } = daysOf(doors, scope.duration);
  const hours = (to.getTime() - from.getTime()) / 3_600_000;
  return { items: sums.slice(0, limit).map(sumView), _duration: `${hours}h0m0s` };
}

export async function domainsOf(
  doors: Doors,
  { limit, skip, query = '', ...scope }: Scope & { limit: number; skip: number; query?: string },
) {
  const where: FigureTest[] =
    query === '' ? [] : [{ column: 'domain', is: 'contains', values: [query.toLowerCase()], isNot: false }];
  const sums = await sumsBy(doors, scope, { by: ['domain'], where });
  const items = sums.slice(skip, skip + limit);
  return {
    items: items.map(({ domain = '', n }) => ({ domain: { name: domain }, bounced: { total: n } })),
    total: sums.length,
  };
}

/** Throws `not_found`. */
async function domainTest(doors: Doors, domain: string): Promise<FigureTest> {
  return isOne('domain', (await getDomain(doors, doors.principal.accountId, domain)).name);
}

/** Throws `not_found`. */
export async function entitiesOf(doors: Doors, domain: string, scope: Scope) {
  const sums = await sumsBy(doors, scope, { by: ['entity'], where: [await domainTest(doors, domain)] });
  return {
    items: sums.map(({ entity = '', n }) => ({
      'entity-id': entity,
      'entity-name': entityName(entity),
      bounced: { total: n },
    })),
  };
}

/** Throws `not_found`. */
export async function rulesOf(doors: Doors, place: { domain: string; entity: string }, scope: Scope) {
  const { domain, entity } = place;
  const where = [await domainTest(doors, domain), isOne('entity', entity)];
  const sums = await sumsBy(doors, scope, { by: ['rule', 'isPermanent'], where });
  const accountIds = await accountsOf(doors, { include_subaccounts: scope.include_subaccounts });
  const rules = [...new Set(sums.map(({ rule = '' }) => rule))];
  const samples = await listSamples(doors.db, accountIds, { rules, entities: [entity] });
  return {
    items: sums.map(({ rule = '', isPermanent, n }) => ({
      'rule-id': rule,
      category: classOfRule(rule).id,
      severity: isPermanent ? ('PERMANENT' as const) : ('TEMPORARY' as const),
      'sample-text': samples.find((sample) => sample.rule === rule)?.reply ?? '',
      explanation: classOfRule(rule).explanation,
      bounced: { total: n },
    })),
  };
}

interface EventsQuery {
  'rule-id'?: string;
  'entity-id'?: string;
  sort: string;
  page?: string;
  limit: number;
}

type EventDoors = Doors & Pick<Context, 'events' | 'baseUrl'>;

/** The conditions of a list, as its pages have them. */
type Conditions = Omit<EventsQuery, 'page'>;

/** A page of failures. Throws `invalid_request`, `not_found`. */
export async function eventsOf(doors: EventDoors, name: string, { page: token, ...asked }: EventsQuery) {
  const { principal, secrets, db, events: log, baseUrl, config } = doors;
  const { accountId } = principal;
  const { name: domain } = await getDomain(doors, accountId, name);
  const list: TokenList = { accountId, list: `bounces ${domain}`, field: 'page' };
  const first = { place: { page: 'first' as const }, conditions: asked };
  const { place, conditions } = token === undefined ? first : readToken<Conditions>(secrets, list, token);
  const { 'rule-id': rule, 'entity-id': entity, sort, limit } = conditions;
  const { events, messages, shown } = await readEvents({ db, events: log }, place, {
    accountIds: [accountId],
    from: new Date(0),
    to: doors.clock.now(),
    where: {
      all: [
        { field: 'event', is: 'in', values: ['failed'] },
        { field: 'domain', is: 'in', values: [domain] },
      ],
    },
    order: sort.endsWith('asc') ? 'ascending' : 'descending',
    limit,
  });
  const tokens = tokensAround(secrets, list, { place, shown, conditions });
  const url = `${baseUrl}/v1/bounce-classification/domains/${domain}/events`;
  const items = events
    .filter(({ reason }) => !(reason ?? '').startsWith('suppress-'))
    .map((event) => ({ event, found: classOfEvent(event) }))
    .filter(({ found }) => (rule ?? found.rule) === found.rule && (entity ?? found.entity) === found.entity);
  return {
    items: items.map(({ event, found }) => ({
      ...eventView(event, messages.get(event.messageId ?? ''), { baseUrl, region: config.region }),
      '@timestamp': event.at.toISOString(),
      'i-classification': {
        reason: classOfRule(found.rule).id,
        'rule-id': found.rule,
        'entity-id': found.entity,
      },
    })),
    paging: Object.fromEntries(
      Object.entries(tokens).map(([page, at]) => [page, `${url}?page=${at}`]),
    ) as typeof tokens,
  };
}
