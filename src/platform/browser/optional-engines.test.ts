import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { quietLog } from './engine-test-bed.ts';
import { findFontsConf } from './fonts.ts';
import { openOptionalEngines } from './optional-engines.ts';
import { RUNTIME_DIR } from './testing.ts';

describe('openOptionalEngines', () => {
  it('finds what is here, names it, and starts nothing', async () => {
    const { renderers, summary } = await openOptionalEngines({ fontconfigFile: await findFontsConf(RUNTIME_DIR), log: quietLog });
    for (const [index, renderer] of renderers.entries()) {
      assert.match(renderer.version, /^(Thunderbird|Firefox|WebKitGTK) \d+\./);
      assert.ok(summary[index]!.startsWith(`${renderer.version} (`));
      await renderer.close();
    }
    assert.equal(new Set(renderers.map(({ engine }) => engine)).size, renderers.length);
  });
});
