// What one process takes away, every other one refuses: processes of their own on one PostgreSQL.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { KEY } from '../harness/crash.ts';
import { Program } from '../harness/outage.ts';
import { postgresAbsence, startPostgres, type PostgresServer } from '../harness/postgres.ts';

const PROCESSES = 3;
/** A request that is sent later than this after a revocation was answered is refused. */
const FELT_MS = 1000;

const basic = (key: string): Record<string, string> => ({ authorization: `Basic ${btoa(`api:${key}`)}` });

describe('what is taken away at one of several processes', { skip: postgresAbsence }, () => {
  let postgres: PostgresServer;
  let dataDir: string;
  let programs: Program[] = [];
  before(async () => {
    postgres = await startPostgres();
    dataDir = await mkdtemp(join(tmpdir(), 'galley-rights-'));
    programs = Array.from(
      { length: PROCESSES },
      () =>
        new Program({
          GALLEY_ROLES: 'api',
          GALLEY_PORT: '0',
          GALLEY_DATA_DIR: dataDir,
          GALLEY_API_KEY: KEY,
          GALLEY_DATABASE_URL: postgres.url,
        }),
    );
    await Promise.all(programs.map((program) => program.ready()));
  });
  after(async () => {
    await Promise.all(programs.map((program) => program.stop()));
    for (const program of programs) program.kill();
    await postgres.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const send = (
    place: number,
    operation: string,
    { headers, body }: { headers: Record<string, string>; body?: object },
  ): Promise<Response> => {
    const [method = '', path = ''] = operation.split(' ');
    return fetch(`${programs[place]?.url}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  };

  /** Takes away at the first process while all are asked without a pause. */
  async function isRefusedEverywhere(headers: Record<string, string>, takeAway: () => Promise<Response>) {
    let takenAt = Number.POSITIVE_INFINITY;
    const accepted = programs.map(() => 0);
    const callers = programs.map(async (_, place) => {
      for (;;) {
        const sentAt = performance.now();
        const answer = await send(place, 'GET /v2/preview/tests', { headers });
        await answer.arrayBuffer();
        if (answer.status === 401) return;
        assert.equal(answer.status, 200);
        accepted[place] = (accepted[place] ?? 0) + 1;
        const lateMs = sentAt - takenAt;
        assert.ok(lateMs < FELT_MS, `process ${place} took what was sent ${lateMs.toFixed(0)} ms after`);
      }
    });
    // Each knows it well by now.
    while (accepted.some((count) => count < 20)) await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await takeAway()).status, 200);
    takenAt = performance.now();
    await Promise.all(callers);
  }

  it('a revoked key is refused by all within a second', async () => {
    const made = await send(0, 'POST /v1/keys', { headers: basic(KEY), body: { role: 'developer' } });
    const { key } = (await made.json()) as { key: { id: string; secret: string } };
    await isRefusedEverywhere(basic(key.secret), () => send(0, `DELETE /v1/keys/${key.id}`, { headers: basic(KEY) }));
  });

  it('an ended session is refused by all within a second', async () => {
    const begun = await send(0, 'POST /v1/session', { headers: {}, body: { key: KEY } });
    const cookie = (begun.headers.get('set-cookie') ?? '').split(';', 1)[0] as string;
    const origin = programs[0]?.url as string;
    await isRefusedEverywhere({ cookie }, () => send(0, 'DELETE /v1/session', { headers: { cookie, origin } }));
  });

  it('a session whose key was revoked is refused by all within a second', async () => {
    const made = await send(0, 'POST /v1/keys', { headers: basic(KEY), body: { role: 'developer' } });
    const { key } = (await made.json()) as { key: { id: string; secret: string } };
    const begun = await send(1, 'POST /v1/session', { headers: {}, body: { key: key.secret } });
    const cookie = (begun.headers.get('set-cookie') ?? '').split(';', 1)[0] as string;
    await isRefusedEverywhere({ cookie }, () => send(0, `DELETE /v1/keys/${key.id}`, { headers: basic(KEY) }));
  });
});
