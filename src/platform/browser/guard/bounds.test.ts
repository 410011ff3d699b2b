import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { poisonEmail } from '../../../../test/harness/poison-email.ts';
import { createChromium, type ChromiumRenderer } from '../chromium/chromium.ts';
import { createChromiumStarter, type ChromiumStarter } from '../chromium/start.ts';
import { RenderError } from '../errors.ts';
import { findFontsConf } from '../fonts/fonts.ts';
import { createRenderPool } from '../pool.ts';
import { treeNow } from './process-tree.ts';
import { effortBounds } from './render-bounds.ts';
import { chromiumsHere, NEVER, requestOf, RUNTIME_DIR, SILENT } from '../../../../test/harness/browsers.ts';

const failure = async (made: Promise<unknown>): Promise<RenderError> => {
  const error: unknown = await made.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof RenderError, `made, or another error: ${String(error)}`);
  return error;
};

// The smaller of this machine's browsers: what is bounded is the same for all.
const install = (await chromiumsHere()).at(-1)!;

describe(`what a document may cost ${install.version} (${install.origin})`, () => {
  let starter: ChromiumStarter;
  let chromium: ChromiumRenderer;
  before(async () => {
    starter = await createChromiumStarter({ install, fontsConf: await findFontsConf(RUNTIME_DIR), log: SILENT });
    chromium = createChromium(starter, { bounds: { ...effortBounds().quick, cpuMs: 1_500 } });
  });
  after(() => chromium.close());
  const render = (html: string, changes = {}) =>
    chromium.render(requestOf(html, { scope: 'poison', ...changes }), NEVER);

  it('is bounded in memory: only the page of the document goes, with the reason', async (test) => {
    const patient = createChromium(starter, {
      bounds: { ...effortBounds({ secondsMax: 60, processBytesMax: 2 ** 30 }).patient },
    });
    test.after(() => patient.close());
    await patient.render(requestOf('before', { scope: 'innocent' }), NEVER);
    const { pid } = patient;
    const error = await failure(patient.render(requestOf(poisonEmail('shapes'), { scope: 'poison' }), NEVER));
    // On a busy machine nobody looked before it was over.
    assert.ok(error.reason === 'too_large' || error.reason === 'broke', error.reason);
    assert.match(error.message, / the 1024 MiB that it may use\.$/);
    assert.ok(patient.holds(requestOf('after', { scope: 'innocent' })));
    assert.equal((await patient.render(requestOf('after', { scope: 'innocent' }), NEVER)).width, 600);
    assert.equal(patient.pid, pid);
  });

  it('gives way to the process that answers', async () => {
    await render('some', { scope: 'innocent' });
    const levels = treeNow(chromium.pid!).map((pid) => getPriority(pid));
    assert.ok(Math.min(...levels) > getPriority(), levels.join());
  });

  it('is bounded in processor time: only the page of the document goes, with the reason', async () => {
    await render('before', { scope: 'innocent' });
    const error = await failure(render(poisonEmail('blur')));
    assert.deepEqual(
      [error.reason, error.message, error.isOfDocument],
      ['too_slow', 'The picture was not ready after 1.5 seconds of computing.', true],
    );
    assert.ok(error.cpuMs >= 1_500, `${error.cpuMs}`);
    assert.equal((await render('after', { scope: 'innocent' })).width, 600);
  });

  it('is not what a slow image or a busy machine takes', async () => {
    const assets = async (): Promise<undefined> => {
      await new Promise((resolve) => {
        setTimeout(resolve, 1_500);
      });
    };
    assert.equal((await render('<img src="https://a.test/late.png">', { assets })).width, 600);
  });

  // What is stuck after the first is the process that composes the pages of all contexts; over the second the page
  // breaks.
  for (const poison of ['layers', 'nested ruby'] as const) {
    it(`ends for ${poison}, and the next document is drawn`, async () => {
      const error = await failure(render(poisonEmail(poison)));
      assert.ok(error.isOfDocument, `${error.reason}: ${error.message}`);
      assert.equal((await render('after', { scope: 'innocent' })).width, 600);
    });
  }
});

describe('the efforts of a render', () => {
  it('are a quick one in turn with all others, then once a patient one apart', async (test) => {
    const starter = await createChromiumStarter({ install, fontsConf: await findFontsConf(RUNTIME_DIR), log: SILENT });
    const { quick, patient, audit } = effortBounds();
    const pool = createRenderPool({
      starter,
      size: 1,
      bounds: { quick: { ...quick, cpuMs: 1_500 }, patient: { ...patient, cpuMs: 3_000 }, audit },
    });
    test.after(() => pool.close());
    const poison = requestOf(poisonEmail('blur'), { scope: 'poison' });
    assert.match((await failure(pool.render({ ...poison, effort: 'quick' }, NEVER))).message, /after 1\.5 seconds/);
    assert.equal(pool.pids().length, 1);
    const apart = failure(pool.render(poison, NEVER));
    // The patient one takes no turn of the others.
    assert.equal((await pool.render(requestOf('innocent', { scope: 'innocent' }), NEVER)).width, 600);
    assert.match((await apart).message, /after 3 seconds /);
    assert.match(
      (await failure(pool.render({ ...poison, effort: 'patient', cpuMsMax: 1_600 }, NEVER))).message,
      /after 1\.6 seconds/,
    );
    await pool.close();
    assert.deepEqual(pool.pids(), []);
  });
});
