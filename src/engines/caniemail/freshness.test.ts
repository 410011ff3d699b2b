import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freshSupport } from './freshness.ts';
import { clientsOfData, featureOf, features } from './support-data.ts';

const fresh = (slug: string, family: string, platform: string, version = '') =>
  freshSupport(featureOf(slug)!, { family, platform, version });

describe('how long a cell holds', () => {
  it('does not use a cell that is older than the support of what it depends on', () => {
    const { support, stale } = fresh('css-selector-id', 'protonmail', 'ios');
    assert.equal(support.level, 'u');
    assert.equal(stale, 'tested 2020-03, before <style> element was supported in 2023-01: not known since');
  });

  it('takes newer evidence in its place where there is some', () => {
    const { support, source } = fresh('css-selector-id', 'protonmail', 'desktop-webmail');
    assert.equal(support.level, 'y');
    assert.equal(source, 'https://github.com/hteumeuleu/caniemail/pull/603');
    assert.equal(fresh('css-at-media-prefers-color-scheme', 'protonmail', 'desktop-webmail').support.level, 'n');
  });

  it('says that a cell no longer matters where what it depends on went', () => {
    assert.equal(fresh('css-selector-child', 'gmx', 'desktop-webmail').moot, '2023-07');
  });

  it('leaves cells alone that are as new, that depend on nothing, or that were asked for by their version', () => {
    assert.equal(fresh('css-border', 'protonmail', 'desktop-webmail').stale, undefined);
    assert.equal(fresh('css-selector-id', 'protonmail', 'ios', '2020-03').support.level, 'n');
    assert.equal(fresh('css-selector-id', 'gmail', 'ios').stale, undefined);
  });

  it('was walked over every platform: what it decided for each class of cells', () => {
    const found: Record<string, { stale: number; newer: number; moot: number }> = {};
    for (const { family, platform } of clientsOfData()) {
      const cells = features.map((feature) => freshSupport(feature, { family, platform }));
      const count = {
        stale: cells.filter(({ stale }) => stale !== undefined).length,
        newer: cells.filter(({ source }) => source !== undefined).length,
        moot: cells.filter(({ moot }) => moot !== undefined).length,
      };
      if (count.stale + count.newer + count.moot > 0) found[`${family}.${platform}`] = count;
    }
    assert.deepEqual(found, {
      'gmx.desktop-webmail': { stale: 0, newer: 0, moot: 27 },
      'outlook.outlook-com': { stale: 0, newer: 1, moot: 0 },
      'protonmail.android': { stale: 0, newer: 14, moot: 0 },
      'protonmail.desktop-webmail': { stale: 24, newer: 15, moot: 0 },
      'protonmail.ios': { stale: 39, newer: 0, moot: 0 },
      'sfr.desktop-webmail': { stale: 0, newer: 0, moot: 1 },
      'thunderbird.macos': { stale: 0, newer: 4, moot: 0 },
      'web-de.desktop-webmail': { stale: 0, newer: 0, moot: 28 },
    });
  });
});
