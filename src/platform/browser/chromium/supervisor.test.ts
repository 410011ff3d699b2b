import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createChromiumStarter } from './start.ts';
import { superviseChromium } from './supervisor.ts';
import { RenderError } from '../errors.ts';
import { SILENT } from '../../../../test/harness/browsers.ts';

describe('a browser that never gets ready', { skip: process.platform === 'win32' }, () => {
  let dir: string;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'galley-silent-browser-'));
    await writeFile(join(dir, 'browser'), '#!/bin/sh\nexec sleep 300\n', { mode: 0o755 });
  });
  after(() => rm(dir, { recursive: true, force: true }));

  it('keeps nobody waiting who closes the service', { timeout: 30_000 }, async () => {
    const install = {
      executablePath: join(dir, 'browser'),
      version: 'A silent browser 1.0',
      origin: 'installed',
    } as const;
    const starter = await createChromiumStarter({ install, fontsConf: join(dir, 'fonts.conf'), log: SILENT });
    const supervisor = superviseChromium(starter, { limits: {}, keep: () => undefined });
    const started = supervisor.acquire().catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await supervisor.close();
    const error = await started;
    // It is passing: nobody logs it as a failure, and no try is counted.
    assert.ok(error instanceof RenderError && error.reason === 'closed' && error.isPassing, String(error));
    await assert.rejects(
      supervisor.acquire(),
      (thrown: unknown) => thrown instanceof RenderError && thrown.reason === 'closed',
    );
  });
});
