import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgePicture, type PictureFacts } from './index.ts';

type Layout = NonNullable<PictureFacts['layout']>;

const CLEAN: Layout = { width: 375, viewportWidth: 375, overlaps: [], cuts: [], images: [], contrasts: [] };
const place = { selector: 'p', box: [0, 0, 10, 10] };
const pale = { ...place, text: 'Pale', ratio: 2.1, color: '#aaaaaa', behind: '#ffffff', size: 14 };

const judge = (layout: Partial<Layout>, facts: Partial<PictureFacts> = {}) =>
  judgePicture({ layout: { ...CLEAN, ...layout }, isPhone: true, images: true, ...facts }).map(
    ({ rule, severity, count }) => [rule, severity, count ?? 1],
  );

describe('the judgment of a picture', () => {
  it('finds nothing where nothing was measured', () => {
    assert.deepEqual(judgePicture({ isPhone: true, images: true }), []);
    assert.deepEqual(judge({}), []);
  });

  it('joins texts of equal colors, and puts what is graver first', () => {
    const contrasts = [pale, { ...pale, text: 'Paler' }, { ...pale, ratio: 1.1, color: '#f8f8f8' }];
    assert.deepEqual(judge({ contrasts }), [
      ['picture/invisible-text', 'error', 1],
      ['picture/low-contrast', 'warning', 2],
    ]);
  });

  it('tells of width on phones alone, and of images where they are on', () => {
    const images = [{ ...place, url: 'https://a.example/b.png', alt: '', fault: 'missing' as const }];
    assert.deepEqual(judge({ width: 640 }), [['picture/too-wide', 'warning', 1]]);
    assert.deepEqual(judge({ width: 640 }, { isPhone: false }), []);
    assert.deepEqual(judge({ images }), [['picture/image-missing', 'error', 1]]);
    assert.deepEqual(judge({ images }, { images: false }), []);
  });

  it('tells what a client clips', () => {
    const [clipped] = judgePicture({ isPhone: false, images: true, clippedCharacters: 8_412 });
    assert.match(clipped!.message, /does not show 8,412 characters of its text/);
  });

  it('has at most 20 findings', () => {
    const cuts = Array.from({ length: 40 }, (_, n) => ({ ...place, text: `Text ${n}`, lines: 1 }));
    assert.equal(judge({ cuts }).length, 20);
  });
});
