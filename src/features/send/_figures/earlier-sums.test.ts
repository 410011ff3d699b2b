// Sums that stand when a row begins to hold every counter: they become the rows that gathering the same events makes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openTestDatabase } from '../../../../test/harness/template-database.ts';
import type { Db } from '../../../platform/db/index.ts';
import { addSums, type Sum } from '../../../platform/figures/index.ts';
import { COUNTERS } from './counters.ts';

const migration = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'migrations', `${name}.sql`), 'utf8');

let db: Db;
let close: () => Promise<void>;
before(async () => ({ db, close } = await openTestDatabase()));
after(() => close());

/** So many groups, of which each meets every other value within some turns. */
const GROUPS = 400;
const DETAILS = { none: '', tag: 'tag', recipientDomain: 'host' } as const;

function sumsOf(of: keyof typeof DETAILS): Sum[] {
  return Array.from({ length: GROUPS }, (_unused, n) => {
    const isRead = n % 3 === 0;
    return {
      accountId: `account${n % 2}`,
      at: new Date(Date.UTC(2026, 10, 1 + (n % 3))).toISOString(),
      of,
      domain: `d${n % 5}.example.com`,
      provider: n % 7 === 0 ? '' : `provider${n % 7}`,
      ip: `192.0.2.${n % 4}`,
      ipPool: `pool${n % 2}`,
      country: isRead ? `c${n % 11}` : '',
      device: isRead ? `device${n % 4}` : '',
      bot: isRead && n % 2 === 0 ? 'apple' : '',
      detail: of === 'none' ? '' : `${DETAILS[of]}${n % 13}`,
      counts: { [COUNTERS[n % COUNTERS.length]!]: n + 1, accepted: 1 },
    };
  });
}

const TABLES = ['figure_days', 'figure_hours'] as const;
const HELD = { figure_days: ['none', 'tag', 'recipientDomain'], figure_hours: ['none', 'tag'] } as const;

/** Every row as one text. */
async function rowsOf(table: (typeof TABLES)[number]): Promise<string[]> {
  const { rows } = await db.text(`select row(figures.*)::text as row from ${table} figures`);
  return (rows as { row: string }[]).map(({ row }) => row).sort();
}

/** As they were written before: a row for each counter. */
async function writeEarlier(table: (typeof TABLES)[number]): Promise<void> {
  const values = HELD[table].flatMap((of, grouping) =>
    sumsOf(of).flatMap(({ accountId, at, counts, domain, provider, ip, ipPool, country, device, bot, detail }) =>
      Object.entries(counts).map(([counter, n]) => {
        const texts = [domain, provider, ip, ipPool, country, device, bot, detail].map((text) => `'${text}'`);
        const place = COUNTERS.indexOf(counter as (typeof COUNTERS)[number]);
        return `('${accountId}', ${grouping}, '${at}', ${place}, ${texts.join(', ')}, ${n})`;
      }),
    ),
  );
  await db.text(`
    insert into ${table} values ${values.join(', ')}
    on conflict (account_id, "grouping", at, counter, domain, provider, ip, ip_pool, country, device, bot, detail)
      do update set n = ${table}.n + excluded.n`);
}

describe('sums by counter', () => {
  it('become the rows that gathering makes', async () => {
    const gathered: Record<string, string[]> = {};
    for (const table of TABLES) {
      const sums = HELD[table].flatMap(sumsOf);
      // In two turns: what is there is added to.
      for (const half of [sums.slice(0, 500), sums.slice(500)])
        await db.tx((tx) => addSums(tx, table, { counters: COUNTERS, sums: half }));
      gathered[table] = await rowsOf(table);
    }
    await db.text('drop table figure_hours, figure_days');
    const [earlier = ''] = migration('20261123_1231_figures').split('-- Who opened');
    await db.text(earlier);
    for (const table of TABLES) await writeEarlier(table);
    await db.text(migration('20261123_1910_figure_sets'));
    for (const table of TABLES) {
      assert.ok(gathered[table]!.length > GROUPS, table);
      assert.deepEqual(await rowsOf(table), gathered[table], table);
    }
  });
});
