import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { composeMime, parseMime } from './index.ts';

const body = Buffer.from('iVBORw0KGgo=', 'base64');

describe('composeMime', () => {
  it('makes a message that reads back as it was', async () => {
    const raw = await composeMime({
      subject: 'Grüße ✉, '.repeat(20) + 'x',
      html: '<p>é\n<img src="cid:a@b"></p>',
      text: 'é',
      headers: { 'X-Campaign': 'spring', From: 'Café <a@cafe.example>', Date: 'Thu, 1 Jan 2026 13:00:00 +0100' },
      inline: [{ contentId: 'a@b', contentType: 'image/png', body }],
    });
    const mail = await parseMime(raw);
    assert.equal(mail.subject, 'Grüße ✉, '.repeat(20) + 'x');
    assert.equal(mail.html?.trim(), '<p>é\n<img src="cid:a@b"></p>');
    assert.equal(mail.text?.trim(), 'é');
    assert.equal(mail.headers['x-campaign'], 'spring');
    assert.deepEqual(mail.from, [{ name: 'Café', address: 'a@cafe.example' }]);
    assert.equal(mail.date?.toISOString(), '2026-01-01T12:00:00.000Z');
    assert.deepEqual(mail.inline, [{ contentId: 'a@b', contentLocation: undefined, contentType: 'image/png', body }]);
    assert.deepEqual(mail.problems, []);
  });
  it('gives the same bytes for the same input, all lines ended by CRLF and short enough to send', async () => {
    const message = { subject: 'a', html: `<p>${'x'.repeat(5000)}</p>\n`, text: 'x' };
    const raw = await composeMime(message);
    assert.deepEqual(await composeMime(message), raw);
    const text = raw.toString('latin1');
    assert.doesNotMatch(text, /[^\r]\n|\r[^\n]/);
    assert.ok(text.split('\r\n').every((line) => line.length <= 998));
  });
  it('cannot be talked into other headers or another structure', async () => {
    const raw = await composeMime({
      subject: 'a\r\nBcc: evil@example.com',
      html: 'x',
      headers: {
        'X-A': 'b\r\nX-Evil: 1\r\n\r\n<script>',
        'X-Evil: 2\r\nX': 'y',
        'Content-Type': 'text/plain',
        'content-transfer-encoding': 'base64',
        Bcc: 'evil@example.com',
        'bad name': 'z',
        Date: 'never',
      },
    });
    const mail = await parseMime(raw);
    assert.equal(mail.headers['x-evil'], undefined);
    assert.equal(mail.headers['bcc'], undefined);
    assert.match(mail.headers['content-type']!, /^text\/html/);
    assert.equal(mail.html?.trim(), 'x');
    assert.equal(mail.headers['x-a'], 'b X-Evil: 1 <script>');
  });
  it('never opens a file or a URL', async () => {
    const raw = await composeMime({
      subject: 'a',
      html: '<img src="file:///etc/passwd">',
      headers: { From: 'path:/etc/passwd' },
    });
    assert.doesNotMatch(raw.toString(), /root:/);
  });
});
