import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { subjectOfMessage } from './message-file.ts';

const SUBJECTS: [string, string | undefined][] = [
  ['Subject: Hello\r\n\r\n', 'Hello'],
  [
    'From: a@example.com\nsubject:  Folded\n over two lines\nTo: b@example.com\n\nSubject: of the body',
    'Folded over two lines',
  ],
  ['Subject: =?utf-8?B?R3LDvMOfZQ==?=\r\n\r\n', 'Grüße'],
  ['Subject: =?iso-8859-1?q?caf=E9_au?= =?utf-8?q?_lait?=\r\n\r\n', 'café au lait'],
  ['Subject: =?utf-8*en?Q?tagged?= and plain\r\n\r\n', 'tagged and plain'],
  ['Subject: =?no-such-charset?Q?kept?=\r\n\r\n', '=?no-such-charset?Q?kept?='],
  ['Subject: =?utf-8?B?not*base64?=\r\n\r\n', '=?utf-8?B?not*base64?='],
  ['Subject:\r\n\r\n', ''],
  ['To: b@example.com\r\n\r\nSubject: of the body', undefined],
];

describe('the subject of a message file', () => {
  it('is read in 8-bit text that names no charset', () => {
    assert.equal(
      subjectOfMessage(Uint8Array.from('Subject: Gr\xfc\xdfe\r\n\r\nx', (character) => character.charCodeAt(0))),
      'Grüße',
    );
  });

  for (const [message, subject] of SUBJECTS) {
    it(`is ${JSON.stringify(subject)} in ${JSON.stringify(message.slice(0, 48))}`, () => {
      assert.equal(subjectOfMessage(new TextEncoder().encode(message)), subject);
    });
  }
});
