import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createSecrets, openSecrets } from './index.ts';

describe('createSecrets', () => {
  const secrets = createSecrets(randomBytes(32));

  it('opens what it sealed, for the same purpose only', () => {
    const sealed = secrets.seal('pässword', 'imap:1');
    assert.equal(secrets.open(sealed, 'imap:1'), 'pässword');
    assert.throws(() => secrets.open(sealed, 'imap:2'), /sealed with another key/);
    assert.throws(() => createSecrets(randomBytes(32)).open(sealed, 'imap:1'), /sealed with another key/);
  });
  it('never seals alike, and shows nothing', () => {
    assert.notEqual(secrets.seal('x', 'p'), secrets.seal('x', 'p'));
    assert.doesNotMatch(secrets.seal('password', 'p'), /password/);
  });
  it('makes a code of what it is given, which another key, purpose or text does not have', () => {
    const said = Buffer.from('after row 7');
    const code = secrets.mac(said, 'page:1');
    assert.equal(code.length, 32);
    assert.deepEqual(secrets.mac(Buffer.from('after row 7'), 'page:1'), code);
    for (const other of [
      secrets.mac(Buffer.from('after row 8'), 'page:1'),
      secrets.mac(said, 'page:2'),
      secrets.mac(Buffer.from('1after row 7'), 'page:'),
      createSecrets(randomBytes(32)).mac(said, 'page:1'),
    ])
      assert.notDeepEqual(other, code);
  });
  it('refuses what was changed or is none of its own', () => {
    const sealed = secrets.seal('secret', 'p');
    for (const wrong of ['', 'v1.', 'v2.AAAA', `${sealed.slice(0, -2)}AA`, sealed.slice(0, 20)])
      assert.throws(() => secrets.open(wrong, 'p'), /The secret of p/);
  });
});

describe('openSecrets', () => {
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'galley-secrets-'));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  it('makes one key file that only the owner can read, even when two start at once', async () => {
    const both = await Promise.all([
      openSecrets({ dataDir, secretKey: undefined }),
      openSecrets({ dataDir, secretKey: undefined }),
    ]);
    assert.equal(both[1].open(both[0].seal('x', 'p'), 'p'), 'x');
    assert.deepEqual(await readdir(dataDir), ['secret.key']);
    assert.equal((await stat(join(dataDir, 'secret.key'))).mode & 0o777, 0o600);
    const later = await openSecrets({ dataDir, secretKey: undefined });
    assert.equal(later.open(both[0].seal('x', 'p'), 'p'), 'x');
  });
  it('takes the key of the environment, the same in every process', async () => {
    const secretKey = 'a long text that nobody else has, x';
    const one = await openSecrets({ dataDir: '/nonexistent', secretKey });
    assert.equal((await openSecrets({ dataDir, secretKey })).open(one.seal('x', 'p'), 'p'), 'x');
  });
  it('does not start with a key file that holds no key', async () => {
    const broken = await mkdtemp(join(tmpdir(), 'galley-secrets-'));
    await writeFile(join(broken, 'secret.key'), '');
    await assert.rejects(openSecrets({ dataDir: broken, secretKey: undefined }), /does not hold a key/);
    await rm(broken, { recursive: true });
  });
});
