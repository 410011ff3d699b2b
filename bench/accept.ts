// Calls of the sending API with 1,000 recipients and their variables, each beside one bare insert of 1,000 rows into
// the same database. `npm run bench -- accept`.
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { postgresAbsence, startPostgres } from '../test/harness/postgres.ts';
import { median } from './measure.ts';

const RECIPIENTS = 1000;
const ROUNDS = 31;
/** Cold code, first partitions. */
const WARM_UP = 5;
const DOMAIN = 'news.bench.example';
const KEY = 'key-of-the-accept-benchmark';
const MUST_MS = 120;

const HTML =
  '<!doctype html><html><body><p>Dear %recipient.name%,</p>\n' +
  `${'<p style="margin:0">Grüße aus der Kombüse, dear reader &amp; friend.</p>\n'.repeat(330)}</body></html>`;

function formOf(from: number): URLSearchParams {
  const variables: Record<string, { name: string; id: string }> = {};
  for (let index = from; index < from + RECIPIENTS; index += 1)
    variables[`r${index}@d${index % 50}.example`] = { name: `Reader ${index}`, id: `id-${index}` };
  return new URLSearchParams({
    from: `Ann <ann@${DOMAIN}>`,
    to: Object.keys(variables).join(', '),
    subject: 'News for %recipient.name%',
    text: 'Dear %recipient.name%',
    html: HTML,
    'recipient-variables': JSON.stringify(variables),
  });
}

async function acceptedMs(url: string, from: number): Promise<number> {
  const body = formOf(from);
  const start = performance.now();
  const response = await fetch(`${url}/v3/${DOMAIN}/messages`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`api:${KEY}`)}` },
    body,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`a call was answered ${response.status}: ${text}`);
  return performance.now() - start;
}

function next<Answer>(server: ChildProcess, question?: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`the server ended with ${code}`));
    server.once('exit', ended);
    server.once('message', (message) => {
      server.off('exit', ended);
      resolve(message as Answer);
    });
    if (question !== undefined) server.send(question as object);
  });
}

async function measure(kind: string, env: Record<string, string>): Promise<void> {
  const server = fork(join(import.meta.dirname, 'accept-server.ts'), [KEY, DOMAIN], {
    env: { ...process.env, ...env },
    execArgv: ['--disable-warning=ExperimentalWarning', ...(process.env['BENCH_ARGS']?.split(' ') ?? [])],
  });
  const { url } = await next<{ url: string }>(server);
  const [calls, inserts, cpu]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const insert = await next<number>(server, { insertFrom: round * RECIPIENTS });
    const before = await next<number>(server, 'cpu');
    const call = await acceptedMs(url, round * RECIPIENTS);
    const spent = (await next<number>(server, 'cpu')) - before;
    if (round < WARM_UP) continue;
    calls.push(call);
    inserts.push(insert);
    cpu.push(spent);
  }
  server.send('stop');
  await new Promise((resolve) => server.once('exit', resolve));
  const [call, insert] = [median(calls), median(inserts)];
  console.log(
    `${kind}: a call of ${RECIPIENTS} recipients is accepted in ${call.toFixed(0)} ms ` +
      `(${Math.min(...calls).toFixed(0)} at best), ${median(cpu).toFixed(0)} ms CPU; one bare insert of ${RECIPIENTS} rows ${insert.toFixed(0)} ms: ` +
      `${(call / insert).toFixed(1)} ×`,
  );
  const isRight = call <= MUST_MS;
  console.log(`${isRight ? 'right' : 'WRONG'}  ${call.toFixed(0)} ms, ${MUST_MS} at most`);
  if (!isRight) process.exitCode = 1;
}

export async function run(): Promise<void> {
  await measure('embedded', {});
  if (postgresAbsence !== undefined) return console.log(`PostgreSQL: ${postgresAbsence}`);
  const postgres = await startPostgres();
  await postgres.start();
  await measure('PostgreSQL', { GALLEY_DATABASE_URL: postgres.url });
  await postgres.close();
}
