// Options in the header of a message that comes by SMTP: what each does, and that no reader sees them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { countMessages, DOMAIN, lastMessage, mailProgram, mimeOf, startBed, type Bed } from './submission.fixture.ts';

const LETTER = { from: `ann@${DOMAIN}`, to: 'bob@example.net', subject: 'Hello', text: 'Hello %recipient.name%' };

let bed: Bed;
before(async () => {
  bed = await startBed();
});
after(() => bed.close());

describe('options in the header', () => {
  for (const prefix of ['X-Mailgun', 'X-Galley', 'x-mAILGUN'])
    it(`are read as ${prefix}-…, and taken out`, async () => {
      await mailProgram(bed).sendMail({
        ...LETTER,
        headers: {
          [`${prefix}-Tag`]: ['spring', 'roses'],
          [`${prefix}-Track`]: 'htmlonly',
          [`${prefix}-Track-Clicks`]: 'no',
          [`${prefix}-Track-Opens`]: 'yes',
          [`${prefix}-Dkim`]: 'no',
          [`${prefix}-Require-TLS`]: 'true',
          [`${prefix}-Skip-Verification`]: 'false',
          [`${prefix}-Deliver-Within`]: '1h30m',
          [`${prefix}-Drop-Message`]: 'yes',
          [`${prefix}-Suppress-Headers`]: 'X-Order',
          [`${prefix}-Variables`]: JSON.stringify({ city: 'Zürich', long: 'word '.repeat(60).trim() }),
          [`${prefix}-Recipient-Variables`]: JSON.stringify({ 'bob@example.net': { name: 'Bob Ω' } }),
          'X-Order': '17',
        },
      });
      const { key, tags, options, user_variables: variables } = await lastMessage(bed);
      assert.deepEqual(tags, ['spring', 'roses']);
      assert.deepEqual(options, {
        dkim: false,
        tracking: 'htmlonly',
        trackingClicks: false,
        trackingOpens: true,
        requireTls: true,
        skipVerification: false,
        suppressHeaders: ['X-Order'],
        deliverWithinSeconds: 5400,
        isTest: true,
      });
      assert.deepEqual(variables, { city: 'Zürich', long: 'word '.repeat(60).trim() });
      const { rows } = await bed.app.galley.outside.db.text(
        'select d.variables from deliveries d join sent_messages m on m.id = d.message_id where m.key = $1',
        [key],
      );
      assert.deepEqual(rows, [{ variables: { name: 'Bob Ω' } }]);
      const mime = await mimeOf(bed, key);
      assert.doesNotMatch(mime, /mailgun|galley-/i);
      assert.match(mime, /^X-Order: 17\r\n/m);
      assert.match(mime, /\r\nSubject: Hello\r\n/);
    });

  it('hold variables of a thousand recipients', async () => {
    const to = Array.from({ length: 1000 }, (_, place) => `r${place}@many.example`);
    const variables = Object.fromEntries(to.map((address, place) => [address, { place, name: `Reader ${place}` }]));
    const sent = await mailProgram(bed).sendMail({
      ...LETTER,
      to,
      headers: { 'X-Mailgun-Recipient-Variables': JSON.stringify(variables) },
    });
    assert.equal(sent.accepted.length, 1000);
    const { rows } = await bed.app.galley.outside.db.text(
      "select variables from deliveries where recipient = 'r999@many.example'",
    );
    assert.deepEqual(rows, [{ variables: { place: 999, name: 'Reader 999' } }]);
  });

  it('say when it goes', async () => {
    const at = new Date(Math.floor(Date.now() / 1000) * 1000 + 3_600_000);
    await mailProgram(bed).sendMail({ ...LETTER, headers: { 'X-Mailgun-Deliver-By': at.toUTCString() } });
    assert.deepEqual((await lastMessage(bed))['options'], { scheduledFor: at.getTime() / 1000 });
  });

  it('that other services wrote are taken out', async () => {
    await mailProgram(bed).sendMail({ ...LETTER, headers: { 'X-Mailgun-Sid': 'WyJ', 'X-Mailgun-Incoming': 'Yes' } });
    assert.doesNotMatch(await mimeOf(bed, (await lastMessage(bed)).key), /X-Mailgun/);
  });

  const wrong: [headers: Record<string, string | string[]>, words: RegExp][] = [
    [{ 'X-Mailgun-Track': 'maybe' }, /^554 5\.6\.0 X-Mailgun-Track must be one of yes, no, true, false, htmlonly\.$/],
    [{ 'X-Galley-Dkim': 'maybe' }, /^554 5\.6\.0 X-Galley-Dkim must be one of yes, no, true, false\.$/],
    [{ 'X-Mailgun-Deliver-By': 'soon' }, /X-Mailgun-Deliver-By must be a date as in RFC 2822/],
    [{ 'X-Mailgun-Deliver-Within': '90' }, /X-Mailgun-Deliver-Within must be from 5m to 24h/],
    [{ 'X-Mailgun-Drop-Message': 'perhaps' }, /X-Mailgun-Drop-Message must be one of yes, no/],
    [{ 'X-Mailgun-Variables': '{"a"' }, /X-Mailgun-Variables is not valid JSON; give an object such as/],
    [{ 'X-Mailgun-Recipient-Variables': '[]' }, /X-Mailgun-Recipient-Variables must be a JSON object/],
    [{ 'X-Mailgun-Sending-IP': '192.0.2.1' }, /X-Mailgun-Sending-IP "192\.0\.2\.1" is not known/i],
    [{ 'X-Mailgun-Sending-IP-Pool': 'a' }, /X-Mailgun-Sending-IP-Pool "a" is not known/i],
    [{ 'X-Mailgun-Secondary-Dkim': 'x' }, /X-Mailgun-Secondary-Dkim must be a domain and a selector/],
    [{ 'X-Mailgun-Secondary-Dkim': 'no.example/s1' }, /X-Mailgun-Secondary-Dkim: this account has no key no\.example/],
    [
      { 'X-Mailgun-Template-Name': 'welcome' },
      /X-Mailgun-Template-Name cannot be used: templates are filled in messages that are given in parts/,
    ],
    [{ 'X-Mailgun-Tag': Array.from({ length: 11 }, (_, place) => `t${place}`) }, /X-Mailgun-Tag is given 11 times; at/],
    [{ 'X-Mailgun-Track': ['yes', 'no'] }, /X-Mailgun-Track is given 2 times; give it once\.$/],
    [
      { 'X-Mailgun-Tags': 'spring' },
      /X-Mailgun-Tags is not known here; after X-Mailgun- or X-Galley- these are valid: tag, /,
    ],
    [{ 'X-Padding': 'x'.repeat(1_100_000) }, /^552 5\.3\.4 The header of the message has more than 1048576 bytes\.$/],
  ];
  for (const [headers, words] of wrong)
    it(`refuse ${JSON.stringify(headers).slice(0, 60)} in words`, async () => {
      const before = await countMessages(bed);
      await assert.rejects(mailProgram(bed).sendMail({ ...LETTER, headers }), (error: Error & { response: string }) => {
        assert.match(error.response, /^55[24] 5/);
        assert.match(error.response, words);
        return true;
      });
      assert.equal(await countMessages(bed), before);
    });
});
