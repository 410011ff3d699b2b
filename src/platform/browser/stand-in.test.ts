import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { never, quietLog, renderRequest } from '../../../test/harness/engine-bed.ts';
import { startApp } from '../../../test/harness/start-app.ts';
import { createThunderbird, probeThunderbird, type ThunderbirdInstall } from './gecko/thunderbird.ts';
import { watchEngine, type WatchedEngine } from './stand-in.ts';
import type { Renderer, Rendering } from './types.ts';

const VERSION = 'if [ "$1" = --version ]; then echo "Thunderbird 140.9.9esr"; exit 0; fi';
/** Programs that answer `--version` as Thunderbird does, and then start like this. */
const PROGRAMS = {
  dies: 'echo "error while loading shared libraries: libxul.so" >&2; exit 127',
  hangs: 'echo "waiting for a display" >&2; exec sleep 600',
  // It listens where Marionette would, and says what no Marionette says.
  babbles: `port=$(sed -n 's/.*"marionette.port", \\([0-9]*\\).*/\\1/p' "$2/user.js"); echo "at port $port"
exec ${process.execPath} -e 'require("net").createServer(s => s.write("HTTP/1.1 400 Bad Request, this is no engine")).listen(+process.argv[1], "127.0.0.1")' $port`,
};
type Name = keyof typeof PROGRAMS;

let dir: string;
const pathOf = (name: Name) => join(dir, name);

before(async () => {
  // The program runs as another user, who must be able to reach it.
  dir = await mkdtemp('/tmp/galley-fakes-');
  await chmod(dir, 0o755);
  for (const [name, body] of Object.entries(PROGRAMS)) {
    await writeFile(join(dir, name), `#!/bin/sh\n${VERSION}\n${body}\n`);
    await chmod(join(dir, name), 0o755);
  }
});
after(() => rm(dir, { recursive: true }));

/** Says that it drew, and draws nothing. */
function chromiumOf(drawn: string[]): Renderer {
  const engine = { name: 'chromium', version: 'Chromium 1' } as const;
  return {
    engine: 'chromium',
    version: engine.version,
    async render({ scope }) {
      drawn.push(scope);
      return { engine } as Rendering;
    },
    async close() {},
  };
}

async function watch(name: Name, drawn: string[], said: unknown[]): Promise<WatchedEngine> {
  const install = (await probeThunderbird({ path: pathOf(name) })) as ThunderbirdInstall;
  assert.equal(install.version, 'Thunderbird 140.9.9esr');
  const make = () => createThunderbird({ ...install, log: quietLog, startTimeoutMs: name === 'hangs' ? 300 : 20_000 });
  const log = { ...quietLog, warn: (about: object) => void said.push(about) };
  return watchEngine({ engine: make(), fresh: make, standIn: chromiumOf(drawn), log, againMs: 0 });
}

const request = (scope: string) =>
  renderRequest({ scope, message: { raw: Buffer.from('Subject: x\r\n\r\nx'), images: true } });

const PRINTED: Record<Name, RegExp> = {
  dies: /exit code 127; it printed: error while loading shared libraries: libxul\.so/,
  hangs: /does not answer.*nothing within 300 ms.*it printed: waiting for a display/,
  babbles:
    /did not start.*it printed: at port \d+|no Marionette packet.*it printed: at port \d+|connection to the engine is closed.*at port \d+/,
};

describe('an engine that answers its version and does not start', () => {
  for (const name of Object.keys(PROGRAMS) as Name[]) {
    it(`is stood in for at once, and its output is logged, when it ${name}`, async () => {
      const drawn: string[] = [];
      const said: { reason?: string }[] = [];
      const watched = await watch(name, drawn, said);
      try {
        // The second one waits behind the first, and need not try by itself.
        const made = await Promise.all(['a', 'b'].map((scope) => watched.renderer.render(request(scope), never)));
        assert.deepEqual(
          made.map(({ engine }) => engine.name),
          ['chromium', 'chromium'],
        );
        assert.deepEqual([drawn.toSorted(), said.length], [['a', 'b'], 1]);
        assert.match(said[0]!.reason!, PRINTED[name]);
        assert.equal(watched.failure, said[0]!.reason);
        assert.match((await watched.tryOut())!, PRINTED[name]);
        assert.equal(said.length, 2);
      } finally {
        await watched.renderer.close();
      }
    });
  }

  it('is used again after a trial that it passes', async () => {
    const drawn: string[] = [];
    let works = false;
    const working: Renderer = { ...chromiumOf([]), engine: 'thunderbird' };
    const failing = createThunderbird({ path: pathOf('dies'), version: 'Thunderbird 1', log: quietLog });
    const watched = watchEngine({
      engine: { ...working, render: (...asked) => (works ? working : failing).render(...asked) },
      fresh: () => (works ? working : failing),
      standIn: chromiumOf(drawn),
      log: quietLog,
      againMs: 0,
    });
    await watched.renderer.render(request('a'), never);
    assert.equal(watched.isUsable(), false);
    await watched.tryOut();
    works = true;
    assert.equal(watched.isUsable(), false, 'it is tried beside the work');
    assert.equal(await watched.tryOut(), undefined);
    assert.deepEqual([watched.isUsable(), watched.failure, drawn], [true, undefined, ['a']]);
  });
});

describe('a preview test where Thunderbird dies', () => {
  it('is completed by the stand-in, which is labeled', async () => {
    const app = await startApp({ GALLEY_THUNDERBIRD: pathOf('dies'), GALLEY_OPTIONAL_ENGINES: 'on' });
    try {
      const clients = ['thunderbird', 'thunderbird_dm'];
      const html = '<p>Good morning</p>';
      const { body } = await app.call('POST /v2/preview/tests', { body: { subject: 's', html, clients } });
      await app.idle();
      const { body: results } = await app.call(`GET /v1/preview/tests/${body.id}/results`);
      for (const id of clients) {
        const { status, fidelity, engine, notes } = results[id];
        assert.deepEqual([status, fidelity], ['Complete', 'emulated']);
        assert.match(engine, /^Chromium/);
        assert.match(
          notes.join('\n'),
          /Thunderbird 140\.9\.9esr is installed here and does not start: Chromium [\d.]+ stands in for it\./,
        );
      }
      // The next test knows it from the start.
      const { body: next } = await app.call('POST /v2/preview/tests', { body: { subject: 's', html, clients } });
      await app.idle();
      const { body: again } = await app.call(`GET /v1/preview/tests/${next.id}/results`);
      assert.deepEqual([again.thunderbird.notes, again.thunderbird.fidelity], [results.thunderbird.notes, 'emulated']);
      const { body: catalog } = await app.call('GET /v1/preview/tests/clients');
      const { fidelity, engine } = catalog.clients.thunderbird;
      assert.deepEqual([fidelity, engine], ['emulated', 'chromium']);
    } finally {
      await app.close();
    }
  });
});
