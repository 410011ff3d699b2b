// Fills the log of events as ten days of sending would, a day at a statement: 20 accounts, one of which has 200 parts.
import type { Db } from '../src/platform/db/index.ts';

export const DAYS = 10;
const DAY_MS = 86_400_000;
const ACCOUNTS = 20;
export const SUBACCOUNTS = 200;
/** Events of a message: 20 recipients, for each accepted, then delivered or failed, and for every second one opened. */
const EVENTS_OF_MESSAGE = 50;
/** However large the log is, a recipient has about so many of all accounts together. */
const EVENTS_OF_RECIPIENT = 25;
/** Further events go behind these, so that pages end where the fill did. */
const MARGIN_MS = 60_000;

interface Fill {
  /** The account of the key; the others are made. */
  accountId: string;
  domain: string;
  events: number;
  now: Date;
}

const ACCOUNT = `case when message % 2 = 0
  then (array[$1] || array(select 'bench' || n from generate_series(1, ${ACCOUNTS - 1}) n))
    [(message / 2) % ${ACCOUNTS} + 1]
  else 'part' || (message / 2) % ${SUBACCOUNTS} end`;

async function addAccounts(db: Db, { accountId, now }: Fill): Promise<void> {
  await db.text(
    `insert into accounts (id, parent_id, name, region, created_at, updated_at)
     select 'bench' || n, null, 'Bench', 'us', $1::timestamptz, $1 from generate_series(1, ${ACCOUNTS - 1}) n
     union all
     select 'part' || n, $2, 'Part', 'us', $1, $1 from generate_series(0, ${SUBACCOUNTS - 1}) n`,
    [now, accountId],
  );
}

/** Messages are numbered from 1; every tenth of an account has the tag `spring`. */
async function addMessages(db: Db, { accountId, domain, events, now }: Fill): Promise<void> {
  const count = Math.ceil(events / EVENTS_OF_MESSAGE);
  await db.text(
    `insert into sent_messages (id, key, account_id, domain, message_id, sender, header_from, header_to, subject,
       recipients, tags, user_variables, options, attachments, mode, method, size_bytes, content_expires_at, created_at)
     overriding system value
     select message, 'key' || message, ${ACCOUNT}, $2::text, message || '@' || $2::text, 'ann@' || $2::text,
       'Ann <ann@' || $2::text || '>', 'All', 'Letter ' || message,
       array(select 'reader' || n || '@example.net' from generate_series(1, 20) n),
       case when (message / ${2 * ACCOUNTS}) % 10 = 0 then array['spring', 'news'] else array['news'] end,
       '{"order": "17"}', '{}', '[]', 'capture', 'HTTP', 4000, $3::timestamptz,
       $3::timestamptz - interval '${DAYS} days' * (1 - message::float8 / ${count})
     from generate_series(1, ${count}) message`,
    [accountId, domain, now],
  );
}

/** The events of one day, in their order: written before its indexes are made, which is far quicker. */
async function addDay(db: Db, { accountId, domain, events, now }: Fill, day: number): Promise<void> {
  const start = now.getTime() - MARGIN_MS - DAYS * DAY_MS;
  const first = Math.max(start, day * DAY_MS);
  const end = Math.min(start + DAYS * DAY_MS, (day + 1) * DAY_MS);
  const [from, to] = [first, end].map((at) => Math.ceil(((at - start) / (DAYS * DAY_MS)) * events)) as [number, number];
  const [low, high] = [day * DAY_MS, (day + 1) * DAY_MS].map((at) => new Date(at).toISOString()) as [string, string];
  const name = `events_${low.slice(0, 10).replaceAll('-', '')}`;
  await db.text(`create table ${name} (like events including defaults)`);
  await db.text(
    `insert into ${name} (at, account_id, event, severity, reason, domain, recipient, recipient_domain, provider,
       message_id, position, attempt, code, about)
     select greatest(to_timestamp($3::float8 + n * $4::float8), '${low}'), ${ACCOUNT}, kind,
       case when kind = 3 then 1 end, case when kind = 3 then 'bounce' end, $2::text,
       'reader' || (delivery * 7919) % $7::bigint || '@host' || (delivery % 40) || '.example',
       'host' || (delivery % 40) || '.example',
       'provider' || delivery % 7, message, delivery % 20, 1, case kind when 2 then 250 when 3 then 550 end,
       case when kind in (2, 3) then
         '{"delivery-status": {"code": 250, "message": "OK", "mx-host": "mx.example", "attempt-no": 1}}'::jsonb end
     from (
       select n, n / ${EVENTS_OF_MESSAGE} + 1 as message, n * 2 / 5 as delivery,
         case when n % 5 in (0, 2) then 0 when n % 5 = 4 then 4 when n % 100 = 3 then 3 else 2 end as kind
       from generate_series($5::bigint, $6::bigint - 1) n
     ) one`,
    [accountId, domain, start / 1000, (DAYS * 86_400) / events, from, to, Math.ceil(events / EVENTS_OF_RECIPIENT)],
  );
  // Makes its indexes.
  await db.text(`alter table events attach partition ${name} for values from ('${low}') to ('${high}')`);
}

/** Seconds it took. The database has no events yet. */
export async function fill(db: Db, given: Fill): Promise<number> {
  const began = performance.now();
  await addAccounts(db, given);
  await addMessages(db, given);
  const last = Math.floor((given.now.getTime() - MARGIN_MS) / DAY_MS);
  for (let day = Math.floor((given.now.getTime() - MARGIN_MS - DAYS * DAY_MS) / DAY_MS); day <= last; day += 1)
    await addDay(db, given, day);
  // What the server, or the embedded database's own housekeeping, does in the background.
  for (const table of ['events', 'sent_messages', 'accounts']) await db.text(`vacuum (analyze) ${table}`);
  return (performance.now() - began) / 1000;
}
