import { invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { readToken, tokenPaging, tokensAround, type TokenList } from '../../../platform/paging/index.ts';
import { readTime } from '../../../platform/times/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import { FILTER_FIELDS, selectionIn } from './legacy-filter.ts';
import { readEvents } from './pages.ts';
import { predicateOf } from './selection.ts';
import { eventView } from './view.ts';

type Doors = Pick<Context, 'config' | 'db' | 'secrets' | 'clock' | 'events' | 'principal' | 'baseUrl'>;

/** What a list is of, as it stands in the tokens of its pages. */
interface Conditions {
  /** RFC 3339; none: from the first event, to the last. */
  from: string | null;
  to: string | null;
  isAscending: boolean;
  limit: number;
  filters: Record<string, string>;
}

type Query = { begin?: string; end?: string; ascending?: string; limit: number } & Record<string, unknown>;

/** The conditions of a query. Throws `invalid_request` naming the field. */
function conditionsOf(query: Query): Conditions {
  const begin = readTime('begin', query.begin);
  const end = readTime('end', query.end);
  const isTurned = begin !== undefined && end !== undefined && begin > end;
  const said = query.ascending;
  const isAscending = said === undefined ? begin !== undefined && !isTurned : said === 'yes' || said === 'true';
  if (isTurned && isAscending) throw invalid('begin', 'must not be later than end where ascending is yes.');
  const [from, to] = isTurned ? [end, begin] : [begin, end];
  const filters = Object.fromEntries(
    FILTER_FIELDS.flatMap((field) => {
      const text = query[field];
      return typeof text === 'string' && text.trim() !== '' ? [[field, text]] : [];
    }),
  );
  selectionIn(filters);
  return {
    from: from?.toISOString() ?? null,
    to: to?.toISOString() ?? null,
    isAscending,
    limit: query.limit,
    filters,
  };
}

const listOf = ({ principal }: Doors, domain: string): TokenList => ({
  accountId: principal.accountId,
  list: `events ${domain}`,
  field: 'page_token',
});

/** A page of a domain's events; the first one, or the one that the token names. */
export async function listEvents(doors: Doors, name: string, asked: { query: Query } | { token: string }) {
  const { accountId } = doors.principal;
  const { name: domain } = await getDomain(doors, accountId, name);
  const list = listOf(doors, domain);
  const { place, conditions } =
    'token' in asked
      ? readToken<Conditions>(doors.secrets, list, asked.token)
      : { place: { page: 'first' as const }, conditions: conditionsOf(asked.query) };
  const to = conditions.to === null ? doors.clock.now() : new Date(conditions.to);
  const accountIds = [accountId];
  const asks = await predicateOf(doors, selectionIn(conditions.filters), { accountIds, before: to });
  const { events, messages, shown } = await readEvents(doors, place, {
    accountIds,
    from: new Date(conditions.from ?? 0),
    to,
    where: { all: [{ field: 'domain', is: 'in', values: [domain] }, asks] },
    order: conditions.isAscending ? 'ascending' : 'descending',
    limit: conditions.limit,
  });
  const where = { baseUrl: doors.baseUrl, region: doors.config.region };
  return {
    items: events.map((event) => eventView(event, messages.get(event.messageId ?? ''), where)),
    paging: tokenPaging(
      `${doors.baseUrl}/v3/${domain}/events`,
      tokensAround(doors.secrets, list, { place, shown, conditions }),
    ),
  };
}
