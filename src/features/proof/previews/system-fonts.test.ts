// A message is shown with the fonts that a client's system has, and falls back as that system does. What is expected is
// taken from the systems' own tables, not from ours: Android's fonts.xml (AOSP), Windows' font list with its substitutes,
// the fonts included with iOS.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertSamePicture } from '../../../../test/harness/same-picture.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
before(async () => {
  app = await startApp();
});
after(() => app.close());

const TEXT = 'Hamburgefonstiv 0123 &amp; the quick brown fox';

/** The ways of naming a font. */
const WRITTEN: Record<string, (stack: string) => string> = {
  'an inline style': (stack) => `<p style="font-family:${stack};font-size:20px">${TEXT}</p>`,
  'a style sheet': (stack) => `<style>.text{font-family:${stack};font-size:20px}</style><p class="text">${TEXT}</p>`,
  'the shorthand': (stack) => `<p style="font:italic 20px/30px ${stack}">${TEXT}</p>`,
  'a font element': (stack) => `<font face="${stack}" size="4">${TEXT}</font>`,
};

async function pictureOf(client: string, html: string): Promise<Buffer> {
  const { body: made } = await app.call('POST /v2/preview/tests', {
    body: { subject: 'Fonts', html: `<!doctype html><html lang="en"><body>${html}</body></html>`, clients: [client] },
  });
  await app.idle();
  const { body: results } = await app.call(`GET /v1/preview/tests/${made.id}/results`);
  return (await app.call(`GET ${results[client].screenshots.default}`, { key: null })).body;
}

/** By client: what a message names, what it is shown with there, and what it would be shown with elsewhere. */
const SYSTEMS: Record<string, [named: string, shown: string, elsewhere: string][]> = {
  gmail_android: [
    ['Verdana', 'Roboto', 'monospace'],
    ["Georgia,'Times New Roman',serif", 'serif', 'Roboto'],
    ["'Segoe UI',Georgia", 'serif', 'Roboto'],
    ["'Trebuchet MS'", 'Roboto', 'serif'],
  ],
  samsung_s24_14: [['Helvetica', 'Roboto', 'serif']],
  iphone16_18: [
    ['Roboto,Georgia', 'Georgia', 'Roboto'],
    ["Calibri,'Segoe UI'", "'Times New Roman'", 'Arial'],
  ],
  olnew: [
    ['Helvetica', 'Arial', "'Times New Roman'"],
    ["'Helvetica Neue',Verdana", 'Verdana', 'Arial'],
  ],
};

describe('the fonts of a system', { timeout: 600_000 }, () => {
  for (const [client, cases] of Object.entries(SYSTEMS))
    for (const [named, shown, elsewhere] of cases)
      it(`${client} shows ${named} with ${shown}`, async () => {
        const write = WRITTEN['an inline style']!;
        const picture = await pictureOf(client, write(named));
        await assertSamePicture(picture, await pictureOf(client, write(shown)), named);
        assert.ok(!picture.equals(await pictureOf(client, write(elsewhere))), `${named} looks like ${elsewhere}`);
      });

  for (const [how, write] of Object.entries(WRITTEN))
    it(`hold for ${how}`, async () => {
      const picture = await pictureOf('outlook_android', write('Georgia'));
      await assertSamePicture(picture, await pictureOf('outlook_android', write('serif')), how);
      assert.ok(!picture.equals(await pictureOf('outlook_android', write('Arial'))), `${how} is not followed`);
    });
});
