// Opens and clicks a second, each beside a bare Fastify in the same process that answers the same bytes, in turns.
// `npm run bench -- tracking`; BENCH_ROUNDS says how often, GALLEY_DATABASE_URL on which PostgreSQL (a new database).
import { fork, type ChildProcess } from 'node:child_process';
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

function follow(url: string, expected: number): Promise<void> {
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

interface Taken {
  /** Answers a second, over all connections. */
  rate: number;
  /** Microseconds of the server's processor time for each. */
  cpu: number;
}

async function cpuOf(server: ChildProcess): Promise<number> {
  server.send('cpu');
  const [{ cpu }] = (await once(server, 'message')) as [{ cpu: number }];
  return cpu;
}

async function take(server: ChildProcess, url: string, expected: number): Promise<Taken> {
  const before = await cpuOf(server);
  const began = performance.now();
  let count = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() - began < SLICE_MS) {
      await follow(url, expected);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  const rate = (count * 1000) / (performance.now() - began);
  return { rate, cpu: ((await cpuOf(server)) - before) / count };
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
    const [hits, bares]: [Taken[], Taken[]] = [[], []];
    for (let round = -1; round < ROUNDS; round += 1) {
      const [bare, hit] = [await take(server, bareUrl + path, expected), await take(server, url + path, expected)];
      if (round < 0) continue;
      bares.push(bare);
      hits.push(hit);
    }
    const middle = (all: readonly Taken[], field: keyof Taken): number => median(all.map((one) => one[field]));
    const ratio = median(hits.map(({ rate }, round) => rate / (bares[round] as Taken).rate));
    console.log(
      `${what}: ${middle(hits, 'rate').toFixed(0)}/s beside ${middle(bares, 'rate').toFixed(0)}/s of a bare Fastify: × ` +
        `${ratio.toFixed(2)}  (goal ≥ ${RATIO_MIN}: ${ratio >= RATIO_MIN ? 'met' : 'MISSED'}); ` +
        `processor time ${middle(hits, 'cpu').toFixed(0)} µs beside ${middle(bares, 'cpu').toFixed(0)} µs`,
    );
  }
  server.send('stop');
  await once(server, 'exit');
  agent.destroy();
}
