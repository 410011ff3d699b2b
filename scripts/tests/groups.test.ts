// Which files share a process.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { describe, it } from 'node:test';
import { groupFiles } from './groups.ts';

const files = globSync('{src,test,scripts}/**/*.test.ts', { exclude: (name) => name.includes('node_modules') }).sort();
const group = (some: readonly string[], expectedMs = (): number => 1000): (readonly string[])[] =>
  groupFiles(some, { processors: 2, expectedMs });

describe('files that share a process', () => {
  it('are all there, once, up to six of features or of engines', () => {
    const groups = group(files);
    assert.deepEqual(groups.flat().toSorted(), files);
    assert.equal(Math.max(...groups.map((group) => group.length)), 6);
    for (const shared of groups.filter((group) => group.length > 1)) {
      const places = new Set(shared.map((file) => file.split('/').slice(0, 2).join('/')));
      assert.equal(places.size, 1, shared.join());
      assert.match([...places][0]!, /^src\/(features|engines)$/);
    }
  });

  it('are none that take long', () => {
    assert.ok(group(files, () => 60_000).every((group) => group.length === 1));
  });

  it('are none where there are few', () => {
    assert.ok(group(files.slice(0, 11)).every((group) => group.length === 1));
  });
});
