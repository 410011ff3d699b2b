import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ask, Program } from '../harness/outage.ts';
import { postgresAbsence, startPostgres } from '../harness/postgres.ts';
import { KEY } from '../harness/crash.ts';
import { FREE_PORTS } from '../harness/program.ts';

const ROLES = ['api', 'api', 'work', 'work', 'work', 'mail', 'api,work', 'api,work,mail'];

describe('eight processes that start at once on an empty PostgreSQL', { skip: postgresAbsence }, () => {
  it('all come up, with one account and one set of tables, and each answers /health and /metrics', async () => {
    const postgres = await startPostgres();
    const dataDir = await mkdtemp(join(tmpdir(), 'galley-together-'));
    const programs = ROLES.map(
      (roles) =>
        new Program({
          GALLEY_ROLES: roles,
          ...FREE_PORTS,
          GALLEY_DATA_DIR: dataDir,
          GALLEY_API_KEY: KEY,
          GALLEY_OPTIONAL_ENGINES: 'off',
          GALLEY_BROWSERS: '1',
          GALLEY_DATABASE_URL: postgres.url,
        }),
    );
    try {
      await Promise.all(programs.map((program) => program.ready()));
      const answers = await Promise.all(
        programs.map(async ({ url }) => {
          const { status, body } = await ask(url, 'GET', '/health');
          return {
            status,
            health: body.status,
            roles: body.roles.join(),
            metrics: (await ask(url, 'GET', '/metrics')).status,
            tests: (await ask(url, 'GET', '/v2/preview/tests')).status,
          };
        }),
      );
      assert.deepEqual(
        answers,
        ROLES.map((roles) => ({
          status: 200,
          health: 'ok',
          roles,
          metrics: 200,
          tests: roles.includes('api') ? 200 : 404,
        })),
      );
      assert.deepEqual(await postgres.query('select count(*)::int as accounts from accounts'), [{ accounts: 1 }]);
      assert.deepEqual(
        await postgres.query(
          'select count(*)::int as again from (select name from migrations group by name having count(*) > 1) as twice',
        ),
        [{ again: 0 }],
      );
      assert.deepEqual(
        await Promise.all(programs.map((program) => program.stop())),
        ROLES.map(() => 0),
      );
    } finally {
      for (const program of programs) program.kill();
      await postgres.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
