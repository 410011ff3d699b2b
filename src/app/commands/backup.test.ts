// `galley backup` of a Galley that runs and takes messages, and `galley restore` into other places.
import assert from 'node:assert/strict';
import { copyFile, mkdtemp, open, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startObjectStore, type ObjectStore } from '../../../test/harness/object-store.ts';
import { postgresAbsence, startPostgres, type PostgresServer } from '../../../test/harness/postgres.ts';
import { FREE_PORTS, startProgram } from '../../../test/harness/program.ts';
import { KEY, startApp, type App } from '../../../test/harness/start-app.ts';
import { checkArchive, createArchive, readEntries } from '../../platform/archive/index.ts';
import { readConfig } from '../../platform/config/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { startGalley } from '../serve.ts';
import { backup } from './backup.ts';
import { restore } from './restore.ts';
import { UsageError } from './usage.ts';

const MAIN = join(import.meta.dirname, '../../main.ts');
const DOMAIN = 'news.example.com';
/** Characters that COPY's text format escapes, and others. */
const SUBJECT = String.raw`A tab	 a backslash \ and \N, \n, "quotes", {braces}, ü, 🎉`;

const SENT_MAX = 300;

let app: App;
let dir = '';
let file = '';
let settings: Record<string, string>;
let domain: unknown;
const sent: string[] = [];
let sentBefore = 0;

async function galley(args: readonly string[], env: Record<string, string> = settings) {
  const program = startProgram([process.execPath, MAIN, ...args], { cwd: dir, env: { GALLEY_BROWSERS: '1', ...env } });
  const { code } = await program.ended;
  return { code, stdout: program.stdout(), stderr: program.stderr() };
}

/** The same in this process, which takes less: the file is named by its whole path. */
async function within(verb: typeof backup, args: readonly string[], env: Record<string, string> = {}) {
  const before = { ...process.env };
  const write = process.stderr.write.bind(process.stderr);
  const umask = process.umask();
  let stderr = '';
  Object.assign(process.env, env);
  process.stderr.write = ((text: string) => {
    stderr += text;
    return true;
  }) as typeof process.stderr.write;
  try {
    return { code: await verb([...args]), stderr };
  } catch (error) {
    return { code: error instanceof UsageError ? 2 : 1, stderr: (error as Error).message };
  } finally {
    process.stderr.write = write;
    process.umask(umask);
    for (const name of Object.keys(env)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

async function send(subject: string): Promise<string> {
  const letter = { from: `ann@${DOMAIN}`, to: 'bob@example.net', subject, html: `<p>${'Hello. '.repeat(2000)}</p>` };
  const { status, body } = await app.call(`POST /v3/${DOMAIN}/messages`, { body: letter });
  assert.equal(status, 200);
  return body.id as string;
}

/** Runs it on what was restored. */
async function running<T>(env: Record<string, string>, work: (call: (path: string) => Promise<any>) => Promise<T>) {
  const all = {
    ...FREE_PORTS,
    GALLEY_ROLES: 'api',
    GALLEY_OPTIONAL_ENGINES: 'off',
    GALLEY_FIND_FILTERS: 'off',
    ...env,
  };
  const started = await startGalley({ config: readConfig(all), log: createLog('silent') });
  try {
    return await work(async (path) => {
      const headers = { authorization: `Basic ${btoa(`api:${KEY}`)}` };
      const answer = await fetch(started.url + path, { headers });
      assert.equal(answer.status, 200, path);
      return answer.json();
    });
  } finally {
    await started.close();
  }
}

/** The rows of each table, sorted: their order is the database's. */
async function rowsIn(path: string): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for await (const { name, body } of readEntries(path)) {
    const [, table] = /^database\/(\w+)\//.exec(name) ?? [];
    if (table !== undefined) (tables[table] ??= []).push(...body.toString().split('\n').slice(0, -1));
  }
  for (const rows of Object.values(tables)) rows.sort();
  return tables;
}

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'galley-backup-'));
  file = join(dir, 'all.tar');
  app = await startApp({ GALLEY_ROLES: 'api' });
  const { config } = app.galley.outside;
  settings = {
    GALLEY_DATA_DIR: config.dataDir,
    ...(config.databaseUrl !== undefined && { GALLEY_DATABASE_URL: config.databaseUrl }),
  };
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  domain = (await app.call(`GET /v4/domains/${DOMAIN}`)).body;
  sent.push(await send(SUBJECT));
  const html = '<p>Hello <img src="https://example.com/a.png"></p>';
  await app.call('POST /v1/inspect/analyze', { body: { html } });
});
after(async () => {
  await app.close();
  await rm(dir, { recursive: true, force: true });
});

describe('galley backup', () => {
  it('writes everything while messages are accepted, and nobody waits for its end', async () => {
    const ended = new AbortController();
    const writing = (async () => {
      while (!ended.signal.aborted && sent.length < SENT_MAX) sent.push(await send(`Message ${sent.length}`));
    })();
    sentBefore = sent.length;
    const { code, stderr } = await galley(['backup', 'all.tar']);
    ended.abort();
    await writing;
    assert.equal(code, 0, stderr);
    assert.match(
      stderr,
      /^all\.tar: [\d.]+ [kM]B in [\d.]+ s\. Galley [\d.]+, [\d :-]+ UTC: [\d,]+ rows in \d+ tables, \d+ objects \(.+\), \d+ files? \(.+\)\.\nIt holds the key for secrets/,
    );
    assert.ok(sent.length > sentBefore, 'nothing was accepted meanwhile');
    assert.deepEqual(
      (await readdir(settings['GALLEY_DATA_DIR']!)).filter((name) => name.includes('copy')),
      [],
    );
  });

  it('leaves a file that is there alone, and a directory without data', async () => {
    const again = await within(backup, [file], settings);
    assert.deepEqual([again.code, again.stderr], [1, `${file} is there already: name another file.`]);
    const none = await within(backup, [join(dir, 'none.tar')], { GALLEY_DATA_DIR: join(dir, 'nothing') });
    assert.equal(none.code, 1);
    assert.match(none.stderr, /nothing holds no database of Galley: GALLEY_DATA_DIR names its data directory/);
    assert.deepEqual(await readdir(dir), ['all.tar']);
  });

  it('is what sha256sum and tar read', async () => {
    const lists = startProgram(
      ['sh', '-c', 'mkdir out && cd out && tar xf ../all.tar && sha256sum --quiet -c digests/*'],
      {
        cwd: dir,
      },
    );
    assert.equal((await lists.ended).code, 0, lists.stderr());
    await rm(join(dir, 'out'), { recursive: true });
  });
});

describe('galley restore', () => {
  const target = (name: string): Record<string, string> => ({ GALLEY_DATA_DIR: join(dir, name) });

  it('brings back all that was acknowledged before, whole, in an empty place', async () => {
    const { code, stderr } = await galley(['restore', 'all.tar'], target('restored'));
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^Restored\. Galley .*\n\d+ deliver(y|ies) waited when the backup was made: /);
    await running(target('restored'), async (call) => {
      const { items } = await call('/v1/galley/queue/deliveries?limit=1000');
      const found = new Map<string, string>(items.map((item: any) => [item.message.id, item.message.storage_key]));
      assert.ok(sent.slice(0, sentBefore).every((id) => found.has(id.replace(/^<|>$/g, '')) || found.has(id)));
      for (const [id, key] of found) {
        assert.ok(sent.includes(id) || sent.includes(`<${id}>`), id);
        const message = await call(`/v3/domains/${DOMAIN}/messages/${key}`);
        assert.match(message['body-html'], /^<p>(Hello\. ){2000}<\/p>/);
      }
      const [first] = items.filter((item: any) => item.message.subject === SUBJECT);
      assert.ok(first, 'the first message is not as it was');
      assert.deepEqual(await call(`/v4/domains/${DOMAIN}`), domain);
      assert.equal((await call('/v1/inspect/analyze')).items.length, 1);
    });
  });

  it('refuses a file that is not what was written, before anything is made', async () => {
    const damaged = join(dir, 'damaged.tar');
    const place = target('damaged');
    const refuses = async (words: RegExp): Promise<void> => {
      const { code, stderr } = await within(restore, [damaged], place);
      assert.equal(code, 1);
      assert.match(stderr, words);
    };
    await copyFile(file, damaged);
    const middle = await open(damaged, 'r+');
    const { size } = await middle.stat();
    const { buffer } = await middle.read(Buffer.alloc(1), 0, 1, Math.floor(size / 2));
    await middle.write(Buffer.from([buffer[0]! ^ 1]), 0, 1, Math.floor(size / 2));
    await middle.close();
    await refuses(/damaged\.tar cannot be restored: (.+ is not what was written|it is damaged at byte \d+)\.$/);
    await copyFile(file, damaged);
    await truncate(damaged, Math.floor(size / 2));
    await refuses(/damaged\.tar cannot be restored: it is cut short\.$/);
    await writeFile(damaged, 'Hello. '.repeat(1000));
    await refuses(/damaged\.tar cannot be restored: it is no tar archive\.$/);
    assert.ok(!(await readdir(dir)).includes('damaged'));
  });

  it('refuses the backup of a newer version in words', async () => {
    const write = async (name: string, head: Buffer, manifest: object): Promise<string> => {
      const newer = await open(join(dir, name), 'w');
      const archive = createArchive(
        async (bytes) => void (await newer.write(bytes)),
        () => new Date(),
      );
      await archive.add('galley-backup.json', head);
      await archive.finish(manifest);
      await newer.close();
      return join(dir, name);
    };
    const head = Buffer.from('{"product":"galley","format":1,"version":"99.0.0"}');
    const byVersion = await within(restore, [await write('newer.tar', head, {})], target('newer'));
    assert.equal(byVersion.code, 1);
    assert.match(
      byVersion.stderr,
      /^This backup was made by Galley 99\.0\.0, which is newer than this Galley [\d.]+: /,
    );
    let own: Buffer = Buffer.alloc(0);
    const manifest: any = await checkArchive(file, ({ body }) => (own = body));
    manifest.database.migrations.push('99991231_2359_later');
    const byChange = await within(restore, ['--check', await write('later.tar', own, manifest)]);
    assert.equal(byChange.code, 1);
    assert.match(byChange.stderr, /newer Galley [\d.]+: its database has the change "99991231_2359_later"/);
  });

  it('says what a file holds', async () => {
    const { code, stdout } = await galley(['restore', '--check', 'all.tar'], {});
    assert.equal(code, 0);
    assert.match(stdout, /^all\.tar is whole\. Galley [\d.]+, .* rows in \d+ tables/);
    for (const [verb, args, words] of [
      [restore, [], /^galley restore FILE/],
      [restore, ['-'], /reads the file twice/],
      [restore, ['a', 'b'], /takes one file; "b" is too much/],
      [restore, ['a', '--check', '--replace'], /--check changes nothing/],
      [backup, [], /^galley backup FILE/],
      [backup, ['a', 'b'], /takes one file; "b" is too much/],
    ] as const) {
      const wrong = await within(verb, args);
      assert.equal(wrong.code, 2);
      assert.match(wrong.stderr, words);
    }
  });
});

describe('galley restore into PostgreSQL and S3', { skip: postgresAbsence }, () => {
  let server: PostgresServer;
  let store: ObjectStore;
  let place: Record<string, string>;
  before(async () => {
    [server, store] = await Promise.all([startPostgres(), startObjectStore()]);
    place = {
      GALLEY_DATA_DIR: join(dir, 'elsewhere'),
      GALLEY_DATABASE_URL: server.url,
      GALLEY_STORAGE_URL: store.url,
    };
  });
  after(async () => {
    await server.close();
    await store.close();
  });

  it('brings back every row and object, as the backup of what was restored shows', async () => {
    const restored = await within(restore, [file], place);
    assert.equal(restored.code, 0, restored.stderr);
    const piped = startProgram(['sh', '-c', '"$0" "$1" backup - > again.tar', process.execPath, MAIN], {
      cwd: dir,
      env: place,
    });
    assert.equal((await piped.ended).code, 0, piped.stderr());
    const again = join(dir, 'again.tar');
    assert.deepEqual(await rowsIn(again), await rowsIn(file));
    const namesIn = async (path: string): Promise<string[]> => {
      const names = new Set<string>();
      for await (const { name } of readEntries(path)) if (/^(objects|files)\//.test(name)) names.add(name);
      return [...names].sort();
    };
    assert.deepEqual(await namesIn(again), await namesIn(file));
    assert.equal((await readFile(join(dir, 'elsewhere/secret.key'), 'utf8')).length, 65);
  });

  it('leaves a place alone that is not empty, unless told', async () => {
    const refused = await within(restore, [file], place);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /^The place to restore to is not empty: the database has 1 account; the object store has objects; there is /,
    );
    const replaced = await within(restore, [file, '--replace'], place);
    assert.equal(replaced.code, 0, replaced.stderr);
    await server.query(`insert into job_workers (id, seen_at) values ('alive', now())`);
    const busy = await within(restore, [file, '--replace'], place);
    assert.equal(busy.code, 1);
    assert.match(busy.stderr, /^A Galley runs on this database \(1 worker within the last 15 seconds\): stop every/);
  });

  it('asks for the key that secrets were sealed with', async () => {
    const key = 'another key than the one that was there before';
    const other = await within(restore, [file], { ...place, GALLEY_SECRET_KEY: key });
    assert.equal(other.code, 1);
    assert.match(other.stderr, /The backup holds its own key for secrets, and GALLEY_SECRET_KEY is another one: unset/);
  });
});
