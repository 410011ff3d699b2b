import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { makeSmallDisk, mount, smallDiskAbsence, type SmallDisk } from '../harness/small-disk.ts';
import {
  countMessages,
  DOMAIN,
  mailProgram,
  startBed,
  type Bed,
} from '../../src/features/send/submission/submission.fixture.ts';
import type { App } from '../harness/start-app.ts';
import { FREE_PORTS } from '../harness/program.ts';

const ROOT = join(import.meta.dirname, '../..');

const ELSEWHERE = process.env['GALLEY_TEST_DATABASE_URL'] ? 'the database lies on another disk in this run' : undefined;

describe('a full disk', { skip: ELSEWHERE ?? smallDiskAbsence }, () => {
  let disk: SmallDisk | undefined;
  let bed: Bed | undefined;
  let app: App | undefined;
  const tmpdir = process.env['TMPDIR'];
  before(async () => {
    disk = await makeSmallDisk('size=200m');
    if (!disk) return;
    process.env['TMPDIR'] = disk.path;
    bed = await startBed();
    app = bed.app;
  });
  after(async () => {
    await app?.close();
    if (tmpdir === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = tmpdir;
    await disk?.remove();
  });

  const create = () => app!.call('POST /v1/inspect/analyze', { body: { html: `<p>${'x'.repeat(20_000)}</p>` } });

  it('is 507 with the reason and Retry-After, for objects and for the database; reading works; all goes on when there is room', async (context) => {
    if (!app || !disk) return context.skip('a tmpfs cannot be mounted here');
    // The tables that it writes to have their first page.
    assert.equal((await create()).status, 200);
    disk.fill();
    const refused = await create();
    assert.deepEqual(
      [refused.status, refused.headers.get('retry-after'), refused.body],
      [
        507,
        '60',
        {
          message:
            'The object store cannot store anything more: its disk is full. Reading still works; try again when there is room.',
        },
      ],
    );
    let made = await app.call('POST /v1/keys', { body: { role: 'developer', description: 'x'.repeat(200) } });
    for (let n = 0; made.status === 200 && n < 2000; n += 1)
      made = await app.call('POST /v1/keys', { body: { role: 'developer', description: 'x'.repeat(200) } });
    assert.deepEqual(
      [made.status, made.headers.get('retry-after'), made.body],
      [
        507,
        '60',
        {
          message:
            'The database cannot store anything more: its disk is full. Reading still works; try again when there is room.',
        },
      ],
    );
    const health = await app.call('GET /health', { key: null });
    assert.deepEqual(
      [health.status, health.body.status, health.body.missing, health.body.parts.objects],
      [503, 'degraded', ['database', 'objects'], { status: 'full', reason: 'its disk is full' }],
    );
    assert.equal((await app.call('GET /v2/preview/tests')).status, 200);
    await makeRoom();
    assert.equal((await create()).status, 200);
  });

  async function makeRoom(): Promise<void> {
    await disk!.empty();
    const deadline = Date.now() + 60_000;
    while ((await app!.call('GET /health', { key: null })).status !== 200 && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 100));
  }

  it('is 452 to programs that send by SMTP, of which nothing is stored; they send it again when there is room', async (context) => {
    if (!bed || !disk) return context.skip('a tmpfs cannot be mounted here');
    const content = randomBytes(300_000);
    const letter = {
      from: `ann@${DOMAIN}`,
      to: 'bob@example.net',
      text: 'Hi',
      attachments: [{ filename: 'a', content }],
    };
    await mailProgram(bed).verify();
    disk.fill();
    await assert.rejects(
      mailProgram(bed).sendMail(letter),
      /452 4\.3\.1 The (object store|database) cannot store anything more: its disk is full\./,
    );
    await makeRoom();
    assert.equal(await countMessages(bed), 0);
    assert.match((await mailProgram(bed).sendMail(letter)).response, /^250 2\.0\.0 Queued as /);
    assert.equal(await countMessages(bed), 1);
  });
});

describe('a data directory that cannot be used', () => {
  const start = (dataDir: string) => {
    const { status, stderr } = spawnSync(process.execPath, ['src/main.ts', 'start'], {
      cwd: ROOT,
      encoding: 'utf8',
      env: {
        ...process.env,
        GALLEY_DATA_DIR: dataDir,
        ...FREE_PORTS,
      },
    });
    return [status, stderr];
  };
  const sentence = (dir: string, reason: string): string =>
    `The data directory ${dir} cannot be used: ${reason}. GALLEY_DATA_DIR names a directory that may be written to.\n`;

  it('is named, with the reason, in one sentence', async () => {
    const dir = await mkdtemp('/tmp/galley-dir-');
    try {
      await writeFile(join(dir, 'file'), '');
      assert.deepEqual(start(join(dir, 'file')), [1, sentence(join(dir, 'file'), 'it is a file')]);
      assert.deepEqual(start(join(dir, 'file', 'below')), [
        1,
        sentence(join(dir, 'file', 'below'), 'a part of the path is a file'),
      ]);
      assert.deepEqual(start('/proc/galley'), [1, sentence('/proc/galley', 'nothing can be made there')]);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });

  it('is refused when its disk is read-only', { skip: smallDiskAbsence }, async (context) => {
    const dir = await mkdtemp('/tmp/galley-dir-');
    if (!mount('size=1m,ro', dir)) return context.skip('a tmpfs cannot be mounted here');
    try {
      assert.deepEqual(start(dir), [1, sentence(dir, 'its disk is read-only')]);
    } finally {
      spawnSync('umount', [dir]);
      await rm(dir, { recursive: true, force: true });
    }
  });
});
