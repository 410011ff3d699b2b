// The API from outside: reads and validated writes, each beside a bare Fastify that runs one statement on the same
// database in the same process, in turns; and a trivial GET while large messages are posted to each endpoint.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ENDPOINTS, isShown, message, PREVIEWS, type Endpoint, type Prepared } from './api-endpoints.ts';
import type { LoopFacts, Question } from './api-server.ts';
import { median } from './measure.ts';

const KEY = 'key-of-the-api-benchmark';
const CONNECTIONS = 16;
const SLICE_MS = 1_500;
/** None: only what messages do is measured. */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const RATIO_MIN = 0.7;
const STALL_MS_MAX = 50;
/** A GET is sent so often while messages are posted. */
const PROBE_MS = 10;
/** So many GETs wait for their answers at most. */
const OPEN_MAX = 200;
const POSTS = 3;
/** Sizes of the messages. */
const SIZES_MB = (process.env['BENCH_SIZES_MB'] ?? '1,5').split(',').map(Number);
/** Only endpoints with one of these words in their name. */
const ONLY = new RegExp(process.env['BENCH_ENDPOINTS'] ?? '');
/** For the server's process, such as `--trace-gc` or `--cpu-prof`. */
const NODE_FLAGS = (process.env['BENCH_NODE_FLAGS'] ?? '').split(' ').filter(Boolean);
/** How long the work behind a post is followed. */
const FOLLOW_MS = Number(process.env['BENCH_FOLLOW_MS'] ?? 20_000);

/** What the server's process says when it is ready. */
interface Ready extends Omit<Prepared, 'pageUrl'> {
  url: string;
  bareUrl: string;
}

interface Server extends Ready, Prepared {
  child: ChildProcess;
  pages: http.Server;
}

/** Pages of the wanted size, as a stranger's server has them. */
async function servePages(): Promise<http.Server> {
  const known = new Map<number, string>();
  const pages = http.createServer((request, response) => {
    const sizeBytes = Number(request.url?.slice(1));
    const page = known.get(sizeBytes) ?? message(sizeBytes);
    known.set(sizeBytes, page);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(page);
  });
  pages.listen(0, '127.0.0.1');
  await once(pages, 'listening');
  return pages;
}

async function startServer(): Promise<Server> {
  const child = fork(fileURLToPath(new URL('./api-server.ts', import.meta.url)), [KEY], {
    execArgv: ['--disable-warning=ExperimentalWarning', ...NODE_FLAGS],
  });
  child.on('exit', (code, signal) => {
    if (code !== 0) console.error(`The server ended with ${signal ?? code}.`);
  });
  const [ready] = (await once(child, 'message')) as [Ready];
  const pages = await servePages();
  return { child, pages, pageUrl: `http://127.0.0.1:${(pages.address() as AddressInfo).port}`, ...ready };
}

async function loopFacts({ child }: Server): Promise<LoopFacts> {
  child.send('loop' satisfies Question);
  const [facts] = (await once(child, 'message')) as [LoopFacts];
  return facts;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS + 4 });
const probes = new http.Agent({ keepAlive: true });

interface Call {
  method: string;
  url: string;
  body?: Buffer;
  contentType?: string;
  agent?: http.Agent;
}

/** Status and text of an answer. */
function call({
  method,
  url,
  body,
  contentType = 'application/json',
  agent: by = agent,
}: Call): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const headers = {
    authorization: `Basic ${btoa(`api:${KEY}`)}`,
    ...(body && { 'content-type': contentType, 'content-length': body.length }),
  };
  const request = http.request(url, { method, headers, agent: by }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
    );
    response.on('error', reject);
  });
  request.on('error', reject);
  request.end(body);
  return promise;
}

async function ask(method: string, url: string, body?: object | Buffer, contentType?: string): Promise<any> {
  const bytes = body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const { status, text } = await call({
    method,
    url,
    ...(bytes && { body: bytes }),
    ...(contentType && { contentType }),
  });
  if (status >= 300) throw new Error(`${method} ${url} answered ${status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

/** A request that is wrong. */
async function askRefused(url: string, body: Buffer): Promise<void> {
  const { status, text } = await call({ method: 'POST', url, body });
  if (status !== 400) throw new Error(`POST ${url} answered ${status}, not 400: ${text.slice(0, 300)}`);
}

/** Calls a second, over all connections, for one slice of time. */
async function rate(made: Call): Promise<number> {
  const until = performance.now() + SLICE_MS;
  let count = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < until) {
      const { status, text } = await call(made);
      if (status !== 200) throw new Error(`${made.method} ${made.url} answered ${status}: ${text.slice(0, 300)}`);
      count += 1;
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  return (count * 1000) / (performance.now() - start);
}

/** What was written so far would slow the next round. */
async function forgetKeys({ child }: Server): Promise<void> {
  child.send('forget keys' satisfies Question);
  await once(child, 'message');
}

async function compare(server: Server, { name, own, bare }: { name: string; own: Call; bare: Call }): Promise<void> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  // In turns, so that what else the machine does meets both. The first round warms them.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const one = await rate(own);
    await forgetKeys(server);
    const other = await rate(bare);
    await forgetKeys(server);
    if (round) ours.push(one);
    if (round) theirs.push(other);
  }
  const ratio = median(ours) / median(theirs);
  console.log(
    `${name.padEnd(46)} ${median(ours).toFixed(0).padStart(7)}/s   bare Fastify ` +
      `${median(theirs).toFixed(0).padStart(7)}/s   × ${ratio.toFixed(2)}  (goal ≥ ${RATIO_MIN}: ` +
      `${ratio >= RATIO_MIN ? 'met' : 'MISSED'})`,
  );
}

interface Probed {
  times: number[];
  stop(): Promise<void>;
}

/** Sends a GET every few milliseconds, whether or not those before were answered. */
function probe(url: string): Probed {
  const times: number[] = [];
  const open = new Set<Promise<void>>();
  const one = async (): Promise<void> => {
    const start = performance.now();
    // A connection that was cut while it waited has waited all the same.
    await call({ method: 'GET', url, agent: probes }).catch(() => {});
    times.push(performance.now() - start);
  };
  const timer = setInterval(() => {
    if (open.size >= OPEN_MAX) return;
    const asked: Promise<void> = one().finally(() => open.delete(asked));
    open.add(asked);
  }, PROBE_MS);
  return {
    times,
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
    },
  };
}

const quantile = (times: readonly number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;

/** Follows what was started until it has ended, or the time is over; answers how many have. */
async function follow(started: readonly string[], hasEnded: (state: any) => boolean): Promise<number> {
  const deadline = performance.now() + FOLLOW_MS;
  let ended = 0;
  for (const url of started) {
    let isEnded = false;
    while (!isEnded && performance.now() < deadline) {
      isEnded = hasEnded(await ask('GET', url));
      if (!isEnded) await new Promise((resolve) => setTimeout(resolve, 250));
    }
    ended += isEnded ? 1 : 0;
  }
  return ended;
}

async function stall(
  server: Server,
  { name, request, state, hasEnded, isRefused = false, read }: Endpoint,
  html: string,
): Promise<void> {
  const { path, body, contentType = 'application/json' } = await request(html, { ...server, ask });
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  await loopFacts(server);
  const probed = probe(`${server.url}/health`);
  const answers: number[] = [];
  const started: string[] = [];
  for (let n = 0; n < POSTS; n += 1) {
    const start = performance.now();
    const answer = isRefused
      ? await askRefused(server.url + path, bytes)
      : await ask('POST', server.url + path, bytes, contentType);
    answers.push(performance.now() - start);
    if (state) started.push(server.url + state(answer));
  }
  const ended = hasEnded ? `${await follow(started, hasEnded)} of ${POSTS} ended` : 'no work behind it';
  for (const url of read ? started : []) await call({ method: 'GET', url: read!(url) });
  await probed.stop();
  const { heldMaxMs, heldCpuMs, rssMb } = await loopFacts(server);
  for (const url of started) await ask('DELETE', url);
  const [p50, p99, max] = [quantile(probed.times, 0.5), quantile(probed.times, 0.99), Math.max(...probed.times)];
  const goal = `goal p99 ≤ ${STALL_MS_MAX}: ${p99 <= STALL_MS_MAX ? 'met' : 'MISSED'}`;
  const get =
    `GET p50 ${p50.toFixed(1).padStart(6)} p99 ${p99.toFixed(0).padStart(6)} max ` +
    `${max.toFixed(0).padStart(6)} ms (${goal})`;
  const post = `POST answered after ${median(answers).toFixed(0).padStart(6)} ms`;
  const parts = [
    get,
    `loop held ${heldMaxMs.toFixed(0).padStart(6)} ms, ${heldCpuMs.toFixed(0).padStart(5)} of them computing`,
    post,
    ended,
    `server ${rssMb.toFixed(0)} MB`,
  ];
  console.log(`  ${name.padEnd(40)} ${parts.join('; ')}`);
}

/** A read and a validated write, each beside one statement on the same database. */
async function compareAll(server: Server): Promise<void> {
  const { id } = await ask('POST', `${server.url}${PREVIEWS}`, {
    subject: 'One test',
    html: '<p>One test</p>',
    clients: ['gmail_chrome'],
  });
  while (!isShown(await ask('GET', `${server.url}${PREVIEWS}/${id}`)))
    await new Promise((resolve) => setTimeout(resolve, 250));
  const [own, bare] = [
    { method: 'GET', url: `${server.url}${PREVIEWS}/${id}` },
    { method: 'GET', url: `${server.bareUrl}/tests/${id}` },
  ];
  await compare(server, { name: 'GET of one preview test', own, bare });
  const body = Buffer.from(JSON.stringify({ role: 'support', description: 'made by the benchmark' }));
  const [ownKeys, bareKeys] = [
    { method: 'POST', url: `${server.url}/v1/keys`, body },
    { method: 'POST', url: `${server.bareUrl}/keys`, body },
  ];
  await compare(server, { name: 'POST of an API key', own: ownKeys, bare: bareKeys });
}

/** Prints requests a second with ratios, then latencies under large messages, and says whether the goals are met. */
export async function run(): Promise<void> {
  const server = await startServer();
  try {
    console.log(
      `${availableParallelism()} cores, ${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ` +
        `${SLICE_MS / 1000} s in turns\n`,
    );
    if (ROUNDS > 0) await compareAll(server);
    for (const megabytes of SIZES_MB) {
      const html = message(megabytes * 1_000_000);
      console.log(
        `\nGET /health every ${PROBE_MS} ms while ${POSTS} messages of ${megabytes} MB are posted, for as long as ` +
          `they are worked on, at most ${FOLLOW_MS / 1000} s`,
      );
      for (const endpoint of ENDPOINTS.filter(({ name }) => ONLY.test(name))) await stall(server, endpoint, html);
    }
  } finally {
    server.child.send('stop' satisfies Question);
    await once(server.child, 'exit');
    server.pages.close();
    server.pages.closeAllConnections();
    agent.destroy();
    probes.destroy();
  }
}
