// How fast a message becomes what each client shows: 100 KB of HTML, every family and platform of the support data,
// one thread. The baseline is the same message parsed, copied and written out again without any rule.

import { CLIENTS, emulate, parseMessage, type ClientProfile } from '../src/engines/client-emulation/index.ts';
import { workOn } from '../src/engines/client-emulation/parse-message.ts';
import { serialize } from '../src/engines/client-emulation/serialize-document.ts';
import { clientsOfData } from '../src/engines/caniemail/index.ts';
import { marketingEmail } from './marketing-email.ts';
import { median } from './measure.ts';

const ROUNDS = 9;
const SIZE_BYTES = 100_000;

interface Figures {
  perClientMs: number[];
  totalMs: number;
  distinct: number;
}

/** The marketing email, with rows appended at its end until it is as long as wanted. */
function longEmail(): string {
  const email = marketingEmail('https://images.example.com');
  const filler = (n: number) =>
    `<tr><td style="padding:${n % 30}px;font:16px/24px Arial;border-radius:6px"><p class="price" style="margin:0 ` +
    `auto;display:flex">Offer ${n}: flat in a rigid sleeve, for ${n} euros.</p></td></tr>\n`;
  let rows = '';
  for (let n = 0; email.length + rows.length < SIZE_BYTES; n++) rows += filler(n);
  return email.replace('</body>', `<table role="presentation" width="640">${rows}</table></body>`);
}

function bare(family: string, platform: string): ClientProfile {
  const model = CLIENTS[0]!;
  return {
    ...model,
    id: `${family}.${platform}`,
    support: { family, platform, version: '' },
    plugins: [],
    colorScheme: 'light',
    darkStrategy: 'none',
  };
}

function round(html: string, clients: readonly ClientProfile[]): Figures {
  const message = parseMessage(html);
  const pages = new Set<string>();
  const perClientMs: number[] = [];
  const start = performance.now();
  for (const client of clients) {
    const before = performance.now();
    pages.add(emulate(message, client, { images: true }).html);
    perClientMs.push(performance.now() - before);
  }
  return { perClientMs, totalMs: performance.now() - start, distinct: pages.size };
}

function baseline(html: string, count: number): number {
  const message = parseMessage(html);
  const start = performance.now();
  for (let i = 0; i < count; i++) serialize(workOn(message));
  return performance.now() - start;
}

/** Prints a table of filter and pipeline times. */
export async function run(): Promise<void> {
  const html = longEmail();
  const data = clientsOfData().map(({ family, platform }) => bare(family, platform));
  const rows = [
    { what: 'no rules (copy and write only)', clients: data.length, totals: repeat(() => baseline(html, data.length)) },
    ...[
      { what: 'support data, no plug-ins', clients: data },
      { what: 'the catalog, whole pipeline', clients: CLIENTS },
    ].map(({ what, clients }) => {
      const figures = repeat(() => round(html, clients));
      return {
        what,
        clients: clients.length,
        totals: figures.map((one) => one.totalMs),
        single: figures.flatMap((one) => one.perClientMs),
        distinct: figures[0]!.distinct,
      };
    }),
  ];
  console.log(
    `${(html.length / 1000).toFixed(0)} KB of HTML, ${ROUNDS} rounds, each with the message parsed anew, one thread`,
  );
  console.table(
    rows.map((row) => ({
      clients: row.clients,
      work: row.what,
      'all, ms (median)': median(row.totals).toFixed(0),
      'all, ms (best)': Math.min(...row.totals).toFixed(0),
      'one, ms (median)':
        'single' in row ? median(row.single).toFixed(2) : (median(row.totals) / row.clients).toFixed(2),
      'distinct documents': 'distinct' in row ? row.distinct : '',
    })),
  );
}

function repeat<T>(work: () => T): T[] {
  work();
  return Array.from({ length: ROUNDS }, work);
}
