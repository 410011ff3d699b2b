import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  analyzeCode,
  audiences,
  dictionary,
  featureViews,
  packAnalysis,
  scoreFor,
  supportAggregates,
  unpackAnalysis,
} from './index.ts';

const analysis = analyzeCode('<p style="margin:-1px">x</p>\n<b style="margin:0;display:flex">y</b>');

describe('dictionary', () => {
  it('has every client, platform and variant that results name', () => {
    const { clients, platforms, application_type, support_levels, categories, variants } = dictionary();
    assert.equal(clients.gmail, 'Gmail');
    assert.equal(platforms['desktop-webmail'], 'Desktop Webmail');
    assert.deepEqual(
      [application_type.android, application_type.windows, application_type['outlook-com']],
      ['mobile', 'desktop', 'web'],
    );
    assert.deepEqual(Object.keys(support_levels), ['y', 'a', 'n', 'u']);
    assert.deepEqual(categories, { css: 'CSS', html: 'HTML', image: 'Image formats', others: 'Others' });
    for (const feature of analysis.features) {
      for (const { id, family, platform, version } of feature.support) {
        assert.deepEqual(variants[id], { client: family, platform, version });
        assert.ok(clients[family] && platforms[platform] && application_type[platform], id);
      }
    }
  });
});

describe('featureViews', () => {
  it('lists variants by support level, with the keys of their notes', () => {
    const [margin] = featureViews(analysis, { slug: 'css-margin' }, new Set(['css-margin-2-11']));
    assert.deepEqual(margin?.instances, [
      { id: 'css-margin-1-11', line: 1, column: 11, resolved: false },
      { id: 'css-margin-2-11', line: 2, column: 11, resolved: true },
    ]);
    assert.deepEqual(Object.keys(margin.support), ['y', 'a', 'n']);
    const partial = margin.support.a as { id: string; notes: string[] }[];
    for (const { notes } of partial) for (const note of notes) assert.equal(typeof margin.notes_lookup[note], 'string');
    const total = Object.values(margin.support).reduce((sum, list) => sum + list.length, 0);
    assert.equal(total, analysis.features.find(({ slug }) => slug === 'css-margin')?.support.length);
  });
  it('filters by support and by kind of application', () => {
    const flex = featureViews(analysis, { slug: 'css-display-flex', supportType: 'n', applicationType: 'desktop' })[0];
    assert.deepEqual(Object.keys(flex!.support), ['n']);
    const ids = (flex!.support.n as { id: string }[]).map(({ id }) => id);
    assert.ok(ids.length > 0 && ids.every((id) => /\.(?:windows|macos|windows-mail)\./.test(id)), ids.join());
    assert.deepEqual(featureViews(analysis, { slug: 'html-p', supportType: 'n' }), []);
    assert.deepEqual(featureViews(analysis, { slug: 'css-grid' }), []);
  });
  it('groups variants by their notes', () => {
    const [margin] = featureViews(analysis, { slug: 'css-margin', groupBy: 'notes' });
    const groups = margin!.support.a as { note: string; variants: string[] }[];
    assert.equal(new Set(groups.map(({ note }) => note)).size, groups.length);
    assert.ok(groups.some(({ note, variants }) => /negative/i.test(note) && variants.length > 1));
    const plain = featureViews(analysis, { slug: 'css-margin' })[0]!.support.a!;
    assert.equal(
      groups.reduce((sum, { variants }) => sum + variants.length, 0),
      plain.length,
    );
  });
});

describe('supportAggregates', () => {
  it('gives percentages by kind, family and market that add up', () => {
    const { application_support, inbox_provider_support, market_support } = supportAggregates(analysis, audiences[0]!);
    assert.deepEqual(Object.keys(application_support), ['desktop', 'mobile', 'web']);
    for (const sums of [
      ...Object.values(application_support),
      ...Object.values(inbox_provider_support),
      market_support,
    ]) {
      const { supported, partial_support, unsupported, unknown } = sums;
      assert.ok(Math.abs(supported + partial_support + unsupported + unknown - 100) < 0.011, JSON.stringify(sums));
    }
    assert.equal(inbox_provider_support.apple_mail?.supported, 100);
    assert.ok(inbox_provider_support.outlook!.unsupported > 0);
  });
  it('counts "y #2" as supported and "n #1" as unsupported', () => {
    // outlook.windows has html-object as "n #…" or the like in each version; every cell is told by its first letter.
    const one = (html: string, slug: string, client: string) => {
      const found = analyzeCode(html);
      return supportAggregates(
        { features: found.features.filter((feature) => feature.slug === slug) },
        { clients: [{ client, share: 1 }] },
      ).market_support;
    };
    assert.equal(one('<b style="height:1px">', 'css-height', 'yahoo.desktop-webmail').unsupported, 100, 'n #1');
    assert.equal(
      one('<b style="word-break:normal">', 'css-word-break', 'gmail.desktop-webmail').supported,
      100,
      'y #1',
    );
  });
  it('takes a message that uses nothing as supported', () => {
    assert.equal(supportAggregates({ features: [] }, audiences[0]!).market_support.supported, 100);
  });
});

describe('a packed analysis', () => {
  it('is small, and becomes the same again after JSON', () => {
    const text = JSON.stringify(packAnalysis(analysis));
    assert.ok(text.length < 4_000, `${text.length}`);
    const again = unpackAnalysis(JSON.parse(text));
    assert.deepEqual(JSON.parse(JSON.stringify(again)), JSON.parse(JSON.stringify(analysis)));
    assert.deepEqual(scoreFor(again), scoreFor(analysis));
  });
  it('loses features that the data no longer has', () => {
    const packed = packAnalysis(analysis);
    assert.equal(
      unpackAnalysis({ ...packed, features: [...packed.features, { ...packed.features[0]!, slug: 'css-gone' }] })
        .features.length,
      packed.features.length,
    );
  });
});
