// Read by people, loaded by mail proxies, followed by scanners: what events, logs, metrics, stats and tags say agrees with
// the script's own count, to the unit.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { parseMime } from '../../../engines/mime/index.ts';
import { DOMAIN, liveBed } from './live.fixture.ts';

const BASE = 'https://mail.example.com';
const bed = liveBed({ settings: { GALLEY_PUBLIC_URL: BASE } });

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0';
const APPLE = 'Mozilla/5.0';
const GMAIL = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)';
const GUARD = 'BarracudaCentral';
const BOTS: Record<string, string> = {
  [PHONE]: '',
  [DESKTOP]: '',
  [APPLE]: 'apple',
  [GMAIL]: 'gmail',
  [GUARD]: 'scanner',
};
const DEVICES: Record<string, string> = { [PHONE]: 'mobile', [DESKTOP]: 'desktop' };

/** What readers of each kind do: images they load, and links they follow, by the programs that do it. */
const KINDS: Record<string, { opens: string[]; clicks: [link: number, agent: string][] }> = {
  silent: { opens: [], clicks: [] },
  reads: { opens: [PHONE], clicks: [] },
  rereads: { opens: [PHONE, PHONE, DESKTOP], clicks: [] },
  follows: { opens: [DESKTOP], clicks: [[0, DESKTOP], [0, DESKTOP], [1, DESKTOP]] }, // prettier-ignore
  clicks: { opens: [], clicks: [[1, PHONE]] },
  apple: { opens: [APPLE], clicks: [] },
  later: { opens: [APPLE, PHONE], clicks: [] },
  gmail: { opens: [GMAIL, GMAIL], clicks: [[0, PHONE]] },
  guarded: { opens: [GUARD], clicks: [[0, GUARD], [1, GUARD], [2, GUARD]] }, // prettier-ignore
};
const TAGS = ['spring', 'news'];
const EACH = 3;
const HTML = [0, 1, 2].map((link) => `<a href="https://shop.example/${link}">${link}</a>`).join(' ');

interface Hit {
  event: 'opened' | 'clicked';
  recipient: string;
  tag: string;
  bot: string;
  device: string;
  url?: string;
}
const done: Hit[] = [];
const RECIPIENTS = TAGS.flatMap((tag) =>
  Object.keys(KINDS).flatMap((kind) =>
    Array.from({ length: EACH }, (_, place) => ({ kind, tag, address: `${kind}${place}.${tag}@example.net` })),
  ),
);

async function load(url: string, agent: string): Promise<void> {
  const answer = await fetch(url.replace(BASE, bed.app.url), { redirect: 'manual', headers: { 'user-agent': agent } });
  assert.ok(answer.status === 200 || answer.status === 302, `${answer.status}`);
}

/** What the reader of a message does, and the script's own note of it. */
async function read({ kind, tag, address }: (typeof RECIPIENTS)[number]): Promise<void> {
  const { html = '' } = await parseMime(Buffer.from(bed.taken(address)[0]!.raw, 'latin1'));
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url as string);
  const pixel = /<img src="([^"]*)"/.exec(html)![1]!;
  const note = (event: Hit['event'], agent: string, url?: string): void =>
    void done.push({
      event,
      recipient: address,
      tag,
      bot: BOTS[agent]!,
      device: DEVICES[agent] ?? 'unknown',
      ...(url && { url }),
    });
  const { opens, clicks } = KINDS[kind]!;
  for (const agent of opens) {
    await load(pixel, agent);
    note('opened', agent);
  }
  for (const [link, agent] of clicks) {
    await load(links[link]!, agent);
    note('clicked', agent, `https://shop.example/${link}`);
  }
}

const isOf = (event: string) => (hit: Hit) => hit.event === event;
/** Readers who are people, each once. */
const uniqueOf = (hits: readonly Hit[]): number =>
  new Set(hits.filter(({ bot }) => bot === '').map(({ recipient }) => recipient)).size;

/** The script's own count of some hits, as the service names them. */
function countOf(hits: readonly Hit[]) {
  const [opened, clicked] = [hits.filter(isOf('opened')), hits.filter(isOf('clicked'))];
  return {
    opened_count: opened.length,
    unique_opened_count: uniqueOf(opened),
    clicked_count: clicked.length,
    unique_clicked_count: uniqueOf(clicked),
  };
}
const METRICS = Object.keys(countOf([]));

async function allLogs(events: string[]): Promise<any[]> {
  const items: any[] = [];
  for (let token: string | undefined; ;) {
    const pagination = { sort: 'timestamp:asc', limit: 100, ...(token !== undefined && { token }) };
    const { status, body } = await bed.app.call('POST /v1/analytics/logs', {
      body: { duration: '7d', events, pagination },
    });
    assert.equal(status, 200, JSON.stringify(body));
    items.push(...body.items);
    token = body.pagination.next;
    if (body.items.length === 0 || token === undefined) return items;
  }
}

async function metricsBy(dimension: string): Promise<Record<string, object>> {
  const query = { duration: '7d', resolution: 'month', dimensions: [dimension], metrics: METRICS };
  const { status, body } = await bed.app.call('POST /v1/analytics/metrics', { body: query });
  assert.equal(status, 200, JSON.stringify(body));
  return Object.fromEntries(body.items.map(({ dimensions: [{ value }], metrics }: any) => [value, metrics]));
}

/** Waits until what is asked has come to be, or says what it is in place of it. */
async function comesTo(expected: unknown, ask: () => Promise<unknown>): Promise<void> {
  for (const end = Date.now() + 90_000; ;) {
    bed.app.clock.advance(1000);
    const found = await ask();
    try {
      return assert.deepEqual(found, expected);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const nameOf = ({ recipient, url = '', bot }: Omit<Hit, 'event' | 'tag' | 'device'>): string =>
  `${recipient} ${bot} ${url}`;
const sum = (stats: any[], kind: string) => {
  const of = (part: string) => stats.reduce((all, one) => all + one[kind][part], 0);
  return { total: of('total'), unique: of('unique') };
};
const statOf = (hits: readonly Hit[], kind: 'opened' | 'clicked') => ({
  total: hits.filter(isOf(kind)).length,
  unique: uniqueOf(hits.filter(isOf(kind))),
});

describe('what readers do', () => {
  before(async () => {
    for (const tag of TAGS) {
      const to = RECIPIENTS.filter((one) => one.tag === tag).map(({ address }) => address);
      const variables = JSON.stringify(Object.fromEntries(to.map((address) => [address, {}])));
      await bed.send({ to, html: HTML, 'o:tag': tag, 'o:tracking': 'yes', 'recipient-variables': variables });
    }
    for (const { address } of RECIPIENTS) await bed.eventsOf(address);
    for (const reader of RECIPIENTS) await read(reader);
  });

  it('is in the events and the logs, each once, people’s first as unique', async () => {
    for (const kind of ['opened', 'clicked'] as const) {
      const hits = done.filter(isOf(kind));
      await comesTo(hits.map(nameOf).sort(), async () =>
        (await allLogs([kind])).map((item) => nameOf({ ...item, bot: item['client-info'].bot })).sort(),
      );
      const uniques = (await allLogs([`unique_${kind}`])).map(({ recipient }) => recipient);
      assert.equal(uniques.length, uniqueOf(hits));
      assert.equal(new Set(uniques).size, uniques.length);
    }
    const query = `event=opened&limit=300&begin=${Math.floor(bed.app.clock.now().getTime() / 1000) - 86_000}&ascending=yes`;
    const { items } = (await bed.app.call(`GET /v3/${DOMAIN}/events?${query}`)).body;
    assert.equal(items.length, done.filter(isOf('opened')).length);
    assert.equal(items.filter((item: any) => item['is-unique']).length, uniqueOf(done.filter(isOf('opened'))));
  });

  it('is in the metrics, by tag and by bot', async () => {
    const by = (part: (hit: Hit) => string) =>
      Object.fromEntries([...Map.groupBy(done, part)].map(([value, hits]) => [value, countOf(hits)]));
    await comesTo(by(({ tag }) => tag), () => metricsBy('tag')); // prettier-ignore
    const bots = await metricsBy('bot');
    for (const [bot, counts] of Object.entries(by((hit) => hit.bot))) assert.deepEqual(bots[bot], counts, bot);
    const devices = (await metricsBy('device')) as Record<string, { opened_count: number; clicked_count: number }>;
    for (const [device, { opened_count: opened, clicked_count: clicked }] of Object.entries(by((hit) => hit.device)))
      assert.deepEqual([devices[device]?.opened_count, devices[device]?.clicked_count], [opened, clicked], device);
    assert.deepEqual(await metricsBy('domain'), { [DOMAIN]: countOf(done) });
  });

  it('is in the stats of the domain and of its tags', async () => {
    const asked = 'event=opened&event=clicked&duration=7d';
    const { stats } = (await bed.app.call(`GET /v3/${DOMAIN}/stats/total?${asked}`)).body;
    for (const kind of ['opened', 'clicked'] as const) assert.deepEqual(sum(stats, kind), statOf(done, kind), kind);
    for (const tag of TAGS) {
      const own = done.filter((hit) => hit.tag === tag);
      const { body } = await bed.app.call(`GET /v3/${DOMAIN}/tag/stats?tag=${tag}&${asked}`);
      for (const kind of ['opened', 'clicked'] as const)
        assert.deepEqual(sum(body.stats, kind), statOf(own, kind), tag);
    }
  });
});
