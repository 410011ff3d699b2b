import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resolveCids } from './index.ts';

const known = new Map([
  ['img1', 'https://x/1'],
  ['img10', 'https://x/10'],
  ['a%b@c', 'https://x/p'],
  ['a&b', 'https://x/a'],
]);
const resolve = (html: string) => resolveCids(html, (id) => known.get(id));

describe('resolveCids', () => {
  const rows: [string, string, string][] = [
    [
      'attributes of every quoting',
      `<img src="cid:img1"><img src='CID:img10'><img src=cid:img1>`,
      `<img src="https://x/1"><img src='https://x/10'><img src=https://x/1>`,
    ],
    ['style sheets', 'url(cid:img1) url("cid:img10")', 'url(https://x/1) url("https://x/10")'],
    [
      'quotes written as entities',
      'style="background:url(&quot;cid:img1&quot;)"',
      'style="background:url(&quot;https://x/1&quot;)"',
    ],
    [
      'percent-encoding and entities',
      '<img src="cid:a%25b%40c"><img src="cid:a&amp;b">',
      '<img src="https://x/p"><img src="https://x/a">',
    ],
    [
      'only what is known',
      '<img src="cid:img"><img src="cid:other"><p>placid:img1</p>',
      '<img src="cid:img"><img src="cid:other"><p>placid:img1</p>',
    ],
  ];
  for (const [what, html, expected] of rows) it(`resolves ${what}`, () => assert.equal(resolve(html), expected));
});
