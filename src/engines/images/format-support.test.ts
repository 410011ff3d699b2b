import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { featureOf } from '../caniemail/index.ts';
import { decodeDataUrl } from './data-url.ts';
import { formatSupport, inlineSupport, supportWarning } from './format-support.ts';

describe('formatSupport', () => {
  it('tells a still GIF, which all show, from an animated one', () => {
    const still = formatSupport('gif', { isAnimated: false });
    const animated = formatSupport('gif', { isAnimated: true });
    assert.deepEqual([still.unsupported, still.partial, still.firstFrameOnly], [[], [], []]);
    assert.ok(
      animated.firstFrameOnly.includes('Outlook 2016') && !animated.firstFrameOnly.includes('Outlook.com (Chrome)'),
      String(animated.firstFrameOnly),
    );
  });
  it('knows that an animated PNG shows its first frame where it is not known', () => {
    const { unsupported, firstFrameOnly } = formatSupport('png', { isAnimated: true });
    assert.deepEqual([unsupported, firstFrameOnly.includes('Gmail (Chrome)')], [[], true]);
  });
  it('hands on the notes of partial support', () => {
    assert.deepEqual(
      formatSupport('svg', { isAnimated: false }).partial.find(({ client }) => client === 'Gmail app (Android)'),
      { client: 'Gmail app (Android)', note: 'Partially supported. Only works with non Google accounts.' },
    );
  });
  it('knows where images in the message itself are not shown', () => {
    assert.ok(inlineSupport().unsupported.includes('Gmail (Chrome)'));
  });
  it('sets notes aside for still images only where they are about animation', () => {
    const notes: [slug: string, number: number][] = [
      ['image-gif', 1],
      ['image-gif', 2],
      ['image-webp', 3],
      ['image-avif', 2],
    ];
    for (const [slug, number] of notes)
      assert.match(featureOf(slug)!.notes.get(number)!, /animat/i, `${slug} #${number}`);
  });
});

describe('supportWarning', () => {
  it('is silent about what everyone shows, and short about the rest', () => {
    assert.equal(supportWarning('jpeg', { isAnimated: false }), undefined);
    assert.match(
      supportWarning('avif', { isAnimated: false })!,
      /^\d+ of \d+ clients do not show it: (?:[^,]+, ){3}[^,]+ and \d+ more \(caniemail image-avif, tested [\d-]+\)\.$/,
    );
  });
});

describe('decodeDataUrl', () => {
  it('decodes base64 and percent signs', () => {
    assert.deepEqual(decodeDataUrl('data:image/gif;base64,R0lG%4F%44lh'), {
      mediaType: 'image/gif',
      bytes: Buffer.from('GIF89a'),
    });
    assert.deepEqual(decodeDataUrl("DATA:image/svg+xml;charset=utf-8,%3Csvg a='ü'/%3E"), {
      mediaType: 'image/svg+xml',
      bytes: Buffer.from("<svg a='ü'/>"),
    });
    assert.deepEqual(decodeDataUrl('data:,a'), { mediaType: 'text/plain', bytes: Buffer.from('a') });
  });
  it('refuses what is no data URL, or too long', () => {
    assert.equal(decodeDataUrl('https://e.example/a.png'), undefined);
    assert.equal(decodeDataUrl('data:image/png;base64'), undefined);
    assert.equal(decodeDataUrl(`data:,${'a'.repeat(14_000_001)}`), undefined);
  });
});
