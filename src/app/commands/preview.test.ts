// What `galley preview` shows while it draws: first screens of all clients, then the whole pictures.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';

const MAIN = join(import.meta.dirname, '../../main.ts');
const CLIENTS = ['gmail_chrome', 'ol2021', 'iphone14_16', 'fastmail_chrome'];

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-preview-'));
});
after(() => rm(folder, { recursive: true }));

/** Every state of the contact sheet that was seen, and the folder at the end. */
async function watchPreview(html: string, out: string): Promise<{ sheets: string[]; files: string[]; stdout: string }> {
  await writeFile(join(folder, 'mail.html'), html);
  const env = { ...process.env, GALLEY_OPTIONAL_ENGINES: 'off', GALLEY_BROWSERS: '1' };
  const args = [MAIN, 'preview', 'mail.html', '--clients', CLIENTS.join(','), '--out', out, '--json'];
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  const ended = once(child, 'close');
  const sheets: string[] = [];
  const look = async (): Promise<void> => {
    const sheet = await readFile(join(folder, out, 'index.html'), 'utf8').catch(() => '');
    if (sheet && sheet !== sheets.at(-1)) sheets.push(sheet);
  };
  while (child.exitCode === null) {
    await look();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.deepEqual(await ended, [0, null]);
  await look();
  return { sheets, files: (await readdir(join(folder, out))).sort(), stdout };
}

const wholeFiles = ['index.html', ...CLIENTS.map((client) => `${client}.png`)].sort();

describe('galley preview', () => {
  it('shows the first screens of all clients before the rest of a long message', async () => {
    const { sheets, files, stdout } = await watchPreview(
      `<!doctype html><title>Long</title>${'<p>A line of a long message.</p>'.repeat(400)}`,
      'long',
    );
    const early = sheets.find((sheet) => sheet.split('First screen: the rest is not drawn yet').length === 5);
    assert.ok(early, `${sheets.length} sheets`);
    assert.match(early, /At \d\d:\d\d:\d\d: 0 of 4 pictures, and 4 first screens/);
    assert.match(early, /<meta http-equiv="refresh" content="1">/);
    assert.match(early, /src="gmail_chrome\.first-screen\.png"/);
    assert.doesNotMatch(sheets.at(-1) as string, /refresh|first-screen|not drawn yet/);
    assert.match(sheets.at(-1) as string, /4 pictures by Galley/);
    assert.deepEqual(files, wholeFiles);
    const { clients, inbox } = JSON.parse(stdout);
    const gmail = inbox.rows.find(({ id }: { id: string }) => id === 'gmail-ios');
    assert.deepEqual([gmail.subject.room, gmail.preview.is_cut], [{ characters: 37 }, true]);
    for (const { client, file, height } of clients) {
      assert.equal(file, `${client}.png`);
      assert.equal((await sharp(join(folder, 'long', file)).metadata()).height, height);
      assert.ok(height > 7000, `${client}: ${height}`);
    }
  });

  it('draws a short message once', async () => {
    const html = '<!doctype html><title>Short</title>\n<p style="text-orientation:mixed">Short';
    const { sheets, files, stdout } = await watchPreview(html, 'short');
    assert.ok(sheets.every((sheet) => !sheet.includes('First screen')));
    assert.deepEqual(files, wholeFiles);
    const unknown = sheets.at(-1)?.split('Not known in this client: text-orientation (line 2)').length;
    assert.equal(unknown, 2, 'of the client that nobody tried it in');
    const features = JSON.parse(stdout).clients.map(({ undecided }: { undecided: { feature: string }[] }) =>
      undecided.map(({ feature }) => feature),
    );
    assert.deepEqual(features, [[], [], [], ['css-text-orientation']]);
  });
});
