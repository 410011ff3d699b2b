// The API from outside: reads and validated writes, each beside a bare Fastify that runs one statement on the same
// database in the same process, in turns; and a trivial GET while large messages are posted to each endpoint.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { LoopFacts, Question } from './api-server.ts';
import { median } from './measure.ts';

const KEY = 'key-of-the-api-benchmark';
const CONNECTIONS = 16;
const SLICE_MS = 1_500;
const ROUNDS = 5;
const RATIO_MIN = 0.7;
const STALL_MS_MAX = 50;
/** A GET is sent so often while messages are posted. */
const PROBE_MS = 10;
/** So many GETs wait for their answers at most. */
const OPEN_MAX = 200;
const POSTS = 3;
/** How long the work behind a post is followed. */
const FOLLOW_MS = Number(process.env['BENCH_FOLLOW_MS'] ?? 20_000);

interface Server {
  child: ChildProcess;
  url: string;
  bareUrl: string;
}

async function startServer(): Promise<Server> {
  const child = fork(fileURLToPath(new URL('./api-server.ts', import.meta.url)), [KEY], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  child.on('exit', (code, signal) => {
    if (code !== 0) console.error(`The server ended with ${signal ?? code}.`);
  });
  const [ready] = (await once(child, 'message')) as [Omit<Server, 'child'>];
  return { child, ...ready };
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
  agent?: http.Agent;
}

/** Status and text of an answer. */
function call({ method, url, body, agent: by = agent }: Call): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const headers = {
    authorization: `Basic ${btoa(`api:${KEY}`)}`,
    ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
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

async function ask(method: string, url: string, body?: object | Buffer): Promise<any> {
  const bytes = body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const { status, text } = await call({ method, url, ...(bytes && { body: bytes }) });
  if (status >= 300) throw new Error(`${method} ${url} answered ${status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
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

/** An ordinary message of that size: rows of a table, a few links and pictures. */
function message(sizeBytes: number): string {
  const rows: string[] = [];
  let length = 0;
  for (let n = 0; length < sizeBytes - 400; n += 1) {
    const link =
      n < 40
        ? `<a href="https://shop.invalid/offer/${n}">Offer ${n}</a><img src="https://shop.invalid/${n}.png" ` +
          `alt="Offer ${n}" width="80">`
        : `Offer ${n}`;
    const row =
      `<tr><td style="padding:${n % 40}px;color:#${(0x111111 + n * 977).toString(16).slice(0, 6)}"><p>${link}: ` +
      'flat in a <b>rigid</b> sleeve, sent within two days.</p></td></tr>\n';
    rows.push(row);
    length += row.length;
  }
  return (
    '<!doctype html><html lang="en"><head><title>Offers</title></head><body><table role="presentation">' +
    `${rows.join('')}</table></body></html>`
  );
}

const CHECKS = { link_validation: true, image_validation: true, accessibility: true, code_analysis: true };

interface Endpoint {
  name: string;
  path: string;
  body(html: string): object;
  /** Where the state of what was started is read, and whether it has ended. */
  state(answer: any): string;
  hasEnded(state: any): boolean;
}

const isInspected = (state: any): boolean => state.meta.status !== 'Processing';
const inspection = (name: string, path: string): Endpoint => ({
  name,
  path,
  body: (html) => ({ html }),
  state: (answer) => `${path.replace('/html-validate', '')}/${answer.items.id}`,
  hasEnded: isInspected,
});
const isShown = (info: any): boolean => info.processing.length === 0;
const mimeOf = (html: string): string =>
  'From: shop@shop.invalid\r\nTo: reader@shop.invalid\r\nSubject: Offers\r\nMIME-Version: 1.0\r\n' +
  `Content-Type: text/html; charset=utf-8\r\n\r\n${html.replaceAll('\n', '\r\n')}`;

const PREVIEWS = '/v2/preview/tests';
const ENDPOINTS: Endpoint[] = [
  inspection('accessibility', '/v1/inspect/accessibility'),
  inspection('links', '/v1/inspect/links/html-validate'),
  inspection('images', '/v1/inspect/images/html-validate'),
  inspection('code analysis', '/v1/inspect/analyze'),
  {
    name: 'gate',
    path: '/v1/inspect/gate',
    body: (html) => ({ html }),
    state: (answer) => `/v1/inspect/gate/${answer.items.id}`,
    hasEnded: isInspected,
  },
  {
    name: 'preview with checks, default clients',
    path: PREVIEWS,
    body: (html) => ({ subject: 'Offers', html, content_checking: CHECKS }),
    state: (answer) => `${PREVIEWS}/${answer.id}`,
    hasEnded: isShown,
  },
  {
    name: 'preview of a whole message, one client',
    path: PREVIEWS,
    body: (html) => ({ subject: 'Offers', mime: mimeOf(html), clients: ['gmail_chrome'] }),
    state: (answer) => `${PREVIEWS}/${answer.id}`,
    hasEnded: isShown,
  },
  {
    name: 'spam test',
    path: '/v1/inspect/spam',
    body: (html) => ({ mime: mimeOf(html) }),
    state: (answer) => `/v1/inspect/spam/${answer.item.id}`,
    hasEnded: (answer) => answer.item.status !== 'processing',
  },
];

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

async function stall(server: Server, { name, path, body, state, hasEnded }: Endpoint, html: string): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(body(html)));
  await loopFacts(server);
  const probed = probe(`${server.url}/health`);
  const answers: number[] = [];
  const started: string[] = [];
  for (let n = 0; n < POSTS; n += 1) {
    const start = performance.now();
    started.push(server.url + state(await ask('POST', server.url + path, bytes)));
    answers.push(performance.now() - start);
  }
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
  await probed.stop();
  const { heldMaxMs, rssMb } = await loopFacts(server);
  for (const url of started) await ask('DELETE', url);
  const p99 = quantile(probed.times, 0.99);
  console.log(
    `  ${name.padEnd(40)} GET p50 ${quantile(probed.times, 0.5).toFixed(1).padStart(6)} p99 ${p99.toFixed(0).padStart(6)} max ${Math.max(
      ...probed.times,
    )
      .toFixed(0)
      .padStart(
        6,
      )} ms (goal p99 ≤ ${STALL_MS_MAX}: ${p99 <= STALL_MS_MAX ? 'met' : 'MISSED'}); loop held ${heldMaxMs.toFixed(0).padStart(6)} ms; POST answered after ${median(answers).toFixed(0).padStart(6)} ms; ${ended} of ${POSTS} ended; server ${rssMb.toFixed(0)} MB`,
  );
}

/** Prints requests a second with ratios, then latencies under large messages, and says whether the goals are met. */
export async function run(): Promise<void> {
  const server = await startServer();
  try {
    console.log(
      `${availableParallelism()} cores, ${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ` +
        `${SLICE_MS / 1000} s in turns\n`,
    );
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
    for (const megabytes of [1, 5]) {
      const html = message(megabytes * 1_000_000);
      console.log(
        `\nGET /health every ${PROBE_MS} ms while ${POSTS} messages of ${megabytes} MB are posted, for as long as ` +
          `they are worked on, at most ${FOLLOW_MS / 1000} s`,
      );
      for (const endpoint of ENDPOINTS) await stall(server, endpoint, html);
    }
  } finally {
    server.child.send('stop' satisfies Question);
    await once(server.child, 'exit');
    agent.destroy();
    probes.destroy();
  }
}
