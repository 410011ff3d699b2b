// Opens and clicks a second, each beside a bare Fastify in the same process that answers the same bytes, in turns.
// `npm run bench -- tracking`; BENCH_ROUNDS says how often, GALLEY_DATABASE_URL on which PostgreSQL (a new database).
import { fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { join } from 'node:path';
import { median } from './measure.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 7);
const CONNECTIONS = 16;
const SLICE_MS = 1500;
const RATIO_MIN = 0.7;

const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0' };

function hit(url: string, expected: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent, headers }, (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () =>
        response.statusCode === expected ? resolve() : reject(new Error(`${url} answered ${response.statusCode}`)),
      );
    });
    request.on('error', reject);
  });
}

/** Answers a second, over all connections. */
async function rateOf(url: string, expected: number): Promise<number> {
  const began = performance.now();
  let count = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() - began < SLICE_MS) {
      await hit(url, expected);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  return (count * 1000) / (performance.now() - began);
}

/** Measures, and prints what it finds. */
export async function run(): Promise<void> {
  const server = fork(join(import.meta.dirname, 'tracking-server.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const [{ url, bareUrl, paths }] = (await once(server, 'message')) as [
    { url: string; bareUrl: string; paths: { opens: string; clicks: string } },
  ];
  for (const [what, path, expected] of [
    ['opens', paths.opens, 200],
    ['clicks', paths.clicks, 302],
  ] as const) {
    const [rates, bares]: [number[], number[]] = [[], []];
    for (let round = -1; round < ROUNDS; round += 1) {
      const [bare, rate] = [await rateOf(bareUrl + path, expected), await rateOf(url + path, expected)];
      if (round < 0) continue;
      bares.push(bare);
      rates.push(rate);
    }
    const ratio = median(rates.map((rate, round) => rate / (bares[round] as number)));
    console.log(
      `${what}: ${median(rates).toFixed(0)}/s beside ${median(bares).toFixed(0)}/s of a bare Fastify: × ` +
        `${ratio.toFixed(2)}  (goal ≥ ${RATIO_MIN}: ${ratio >= RATIO_MIN ? 'met' : 'MISSED'})`,
    );
  }
  server.send('stop');
  await once(server, 'exit');
  agent.destroy();
}
