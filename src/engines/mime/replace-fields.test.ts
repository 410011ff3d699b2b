import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { replaceFields } from './index.ts';

type Field = { name: string; value: string };
const CASES: [what: string, raw: string, fields: Field[], wanted: string][] = [
  ['nothing to put in', 'A: 1\r\n\r\nbody', [], 'A: 1\r\n\r\nbody'],
  ['a new field', 'A: 1\r\n\r\nbody', [{ name: 'X-B', value: '2' }], 'X-B: 2\r\nA: 1\r\n\r\nbody'],
  [
    'fields of the name, folded, twice, in other cases',
    'x-b: 1\r\n two\r\nA: 1\r\nX-B : 3\r\n\r\nX-B: body',
    [{ name: 'X-B', value: '2' }],
    'X-B: 2\r\nA: 1\r\n\r\nX-B: body',
  ],
  [
    'a field given twice',
    'A: 1\r\n\r\n',
    [
      { name: 'B', value: '1' },
      { name: 'B', value: '2' },
    ],
    'B: 1\r\nB: 2\r\nA: 1\r\n\r\n',
  ],
  ['no header', '\r\nbody', [{ name: 'X-B', value: '2' }], 'X-B: 2\r\n\r\nbody'],
  ['no body', 'A: 1', [{ name: 'X-B', value: '2' }], 'X-B: 2\r\nA: 1\r\n'],
  ['a line that is no field', 'nonsense\r\nA: 1\r\n\r\n', [{ name: 'A', value: '2' }], 'A: 2\r\nnonsense\r\n\r\n'],
  [
    'a value that would end its field',
    'A: 1\r\n\r\n',
    [{ name: 'X-B', value: '2\r\nTo: x' }],
    'X-B: 2 To: x\r\nA: 1\r\n\r\n',
  ],
  [
    'bytes above ASCII',
    'A: \u00e4\r\n\r\n\u00ff',
    [{ name: 'X-B', value: 'ü' }],
    'X-B: =?UTF-8?B?w7w=?=\r\nA: \u00e4\r\n\r\n\u00ff',
  ],
];

describe('replaceFields', () => {
  for (const [what, raw, fields, wanted] of CASES)
    it(what, () => assert.equal(replaceFields(Buffer.from(raw, 'latin1'), fields).toString('latin1'), wanted));
});
