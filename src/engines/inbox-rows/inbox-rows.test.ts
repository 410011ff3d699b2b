import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CLIENTS } from '../client-emulation/index.ts';
import {
  inboxRows,
  lockScreenNotifications,
  readForInbox,
  rowsOfClients,
  sourceOf,
  type MessageForInbox,
} from './index.ts';
import { cutAtCharacters, cutAtWidth, widthOf } from './measure.ts';

const sound = (body: string) => `<!doctype html><html><head><title>t</title></head><body>${body}</body></html>`;
const ann = { name: 'Ann Brown', address: 'ann@example.com' };

function rowOf(id: string, message: Partial<MessageForInbox>) {
  const row = inboxRows({ html: sound('x'), sender: ann, ...message }).find(({ client }) => client === id);
  assert.ok(row, id);
  return row;
}

describe('the table of rows', () => {
  it('has one row for each client of the catalog, and no other client', () => {
    const known = CLIENTS.filter(({ id }) => !id.endsWith('_dm')).map(({ id }) => id);
    const named = rowsOfClients.flatMap(({ clients }) => clients);
    assert.deepEqual(named.toSorted(), known.toSorted());
    assert.equal(new Set(named).size, named.length);
  });
  it('names a source for every fact, with address, date and strength', () => {
    for (const row of inboxRows({ html: '' })) {
      for (const { what, url, date, strength } of row.sources)
        assert.ok(what && URL.canParse(url) && /^\d{4}/.test(date) && strength, row.client);
      for (const part of ['subject', 'preview', 'avatar', 'logo'] as const) {
        const fact = rowsOfClients.find(({ id }) => id === row.client)?.[part];
        assert.equal(
          row.sources.some(({ of }) => of === part),
          fact !== undefined,
          `${row.client} ${part}`,
        );
      }
    }
    assert.throws(() => sourceOf('nobody'), /no source nobody/);
  });
});

describe('the inbox row', () => {
  it('is cut as each client cuts it', () => {
    const html = sound(`<p>${'Preview words. '.repeat(20)}</p>`);
    const row = rowOf('gmail-ios', { html, subject: 'S'.repeat(60) });
    assert.deepEqual([row.subject.shown.length, row.subject.isCut], [37, true]);
    assert.ok(row.preview!.isCut && row.preview!.shown.startsWith('Preview words.') && row.preview!.shown.length <= 91);
    assert.equal(rowOf('gmail-ios', { subject: 'Short' }).subject.isCut, false);
  });
  it('is without a preview where the list shows none, and says where the length is not known', () => {
    assert.equal(rowOf('thunderbird', { subject: 'Short' }).preview, undefined);
    const { preview, subject } = rowOf('hey', { html: sound('x'.repeat(400)), subject: 'Short' });
    assert.deepEqual([subject.isCut, subject.room], [undefined, undefined]);
    assert.deepEqual([preview!.isCut, preview!.shown.length], [undefined, 256]);
  });
  it('counts characters as readers do', () => {
    assert.equal(rowOf('gmail-ios', { subject: '👩‍👩‍👧'.repeat(37) }).subject.isCut, false);
    assert.equal(rowOf('gmail-ios', { subject: '👩‍👩‍👧'.repeat(38) }).subject.shown, `${'👩‍👩‍👧'.repeat(36)}…`);
  });
  it('tells what of the body shows behind a preheader, and that padding keeps it out', () => {
    const hidden = (padding: string) =>
      sound(`<div style="display:none">Short preheader.${padding}</div><h1>Big heading</h1>`);
    const bare = rowOf('gmail-web', { html: hidden('') }).preview!;
    assert.deepEqual([bare.shown, bare.bodyText], ['Short preheader. Big heading', 'Big heading']);
    const padded = rowOf('gmail-web', { html: hidden('&#847;&zwnj;&nbsp;'.repeat(120)) }).preview!;
    assert.deepEqual([padded.shown, padded.bodyText], ['Short preheader.', '']);
  });
  it('tells that Apple Mail looks through old padding', () => {
    const html = sound(
      `<div style="display:none">Short preheader.${'&nbsp;&zwnj;'.repeat(120)}</div><h1>Big heading</h1>`,
    );
    assert.equal(rowOf('gmail-web', { html }).preview!.shown, 'Short preheader.');
    assert.equal(rowOf('apple-mail-iphone', { html }).preview!.shown, 'Short preheader. Big heading');
  });
  it('takes the text part of a message without HTML', () => {
    assert.equal(rowOf('gmail-ios', { html: '', text: 'Hello\r\n\r\nthere' }).preview!.shown, 'Hello there');
    assert.equal(rowOf('gmail-ios', { html: '' }).preview!.shown, '');
  });
  it('measures letters where the layout is published', () => {
    const wide = rowOf('thunderbird-android', { subject: 'W'.repeat(40) }).subject;
    const narrow = rowOf('thunderbird-android', { subject: 'i'.repeat(40) }).subject;
    assert.deepEqual([wide.isCut, narrow.isCut], [true, false]);
    assert.ok(wide.shown.length < 22, wide.shown);
  });
  it('has dots for addresses in the preview of Thunderbird for Android', () => {
    const html = sound('<p>See https://example.com/a/very/long/address now</p>');
    assert.equal(rowOf('thunderbird-android', { html }).preview!.shown, 'See ... now');
  });
});

describe('the sender', () => {
  const letters = (id: string, name: string, address = 'ann@example.com') =>
    rowOf(id, { sender: { name, address } }).avatar;
  const table: [id: string, name: string, kind: string, text: string][] = [
    ['outlook-web', 'Ann Brown', 'letters', 'AB'],
    ['outlook-web', 'Ann van Brown', 'letters', 'AB'],
    ['outlook-web', 'The Four Word Name', 'letters', 'T'],
    ['outlook-web', 'Ann Brown (Shop)', 'letters', 'AB'],
    ['outlook-web', '王小明', 'generic', ''],
    ['gmail-android', 'ann', 'letters', 'A'],
    ['gmail-android', 'Łucja', 'generic', ''],
    ['gmail-android', '🎁 Gifts', 'generic', ''],
    ['thunderbird-android', '🎁 Łucja', 'letters', 'Ł'],
    ['thunderbird-android', '🎁', 'letters', '?'],
    ['gmail-web', 'Ann', 'none', ''],
    ['samsung', 'Ann', 'unknown', ''],
  ];
  for (const [id, name, kind, text] of table)
    it(`${name} has in ${id}: ${kind} ${text}`, () => {
      const avatar = letters(id, name);
      assert.deepEqual([avatar.kind, avatar.text], [kind, text]);
    });
  it('is its address without a name, and nobody where the message says none', () => {
    assert.equal(rowOf('gmail-ios', { sender: { name: '', address: 'ann@example.com' } }).sender, 'ann@example.com');
    const nobody = rowOf('gmail-ios', { sender: undefined });
    assert.deepEqual([nobody.sender, nobody.avatar.kind], [undefined, 'unknown']);
  });
  it('has its logo where the list shows logos, and a reason where it does not', () => {
    const logo = { isPublished: true, hasCertificate: true };
    const shown = (id: string, given = logo) => rowOf(id, { logo: given }).avatar;
    assert.equal(shown('gmail-ios').kind, 'logo');
    const bare = shown('gmail-ios', { isPublished: true, hasCertificate: false });
    assert.deepEqual(
      [bare.kind, bare.note],
      ['letters', 'The logo has no mark certificate, which this client asks for.'],
    );
    assert.equal(shown('gmail-ios', { isPublished: false, hasCertificate: true }).note, undefined);
    assert.deepEqual(
      [shown('gmail-web').kind, shown('gmail-web').note],
      ['none', 'The logo shows in the opened message only.'],
    );
    assert.match(shown('apple-mail-iphone').note!, /mailbox provider vouches/);
    assert.deepEqual([shown('outlook-web').kind, shown('outlook-web').note], ['letters', undefined]);
  });
});

describe('hostile text', () => {
  it('is shown without what turns it, and told', () => {
    const message = {
      html: sound('pre\u202eview'),
      sender: { name: 'Bank \u202emoc.live', address: 'a@evil.example' },
      subject: '\u2067Invoice\u0007\u200b\u{e0041} \ufeff1',
    };
    const row = rowOf('gmail-ios', message);
    assert.deepEqual(
      [row.sender, row.subject.shown, row.preview!.shown],
      ['Bank moc.live', 'Invoice\u200b 1', 'preview'],
    );
    assert.deepEqual(
      readForInbox(message).hiddenCharacters.map(({ field, codePoint, turnsText }) => [field, codePoint, turnsText]),
      [
        ['sender', 'U+202E', true],
        ['subject', 'U+2067', true],
        ['subject', 'U+0007', false],
        ['subject', 'U+200B', false],
        ['subject', 'U+FEFF', false],
        ['subject', 'U+E0041', false],
        ['preview', 'U+202E', true],
      ],
    );
  });
  it('keeps right-to-left text, joined emoji and flags as they are', () => {
    const subject = 'שלום 👩‍👧 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} مرحبا';
    const message = { html: '', subject };
    assert.equal(rowOf('gmail-web', message).subject.shown, subject);
    assert.deepEqual(readForInbox(message).hiddenCharacters, []);
  });
  it('takes bounded time, however long', () => {
    const long = `${'\u{e0041}'.repeat(500_000)}${'a\u0301'.repeat(500_000)}`;
    const started = process.cpuUsage();
    inboxRows({ html: sound(long), subject: long, sender: { name: long, address: long } });
    assert.ok(process.cpuUsage(started).user < 20_000_000);
  });
});

describe('cutting', () => {
  it('at a number of characters, dots included', () => {
    assert.deepEqual(cutAtCharacters('abc def', 7), { shown: 'abc def', isCut: false });
    assert.deepEqual(cutAtCharacters('abc defg', 5), { shown: 'abc…', isCut: true });
  });
  it('at a width, by letters, words and lines', () => {
    const font = { fontSize: 16, weight: 'regular' } as const;
    // Roboto's a is 1,114 of 2,048 units wide.
    assert.equal(widthOf('aaaa', font), (4 * 1114 * 16) / 2048);
    const room = { ...font, pixels: widthOf('aaaa aaaa', font) };
    assert.deepEqual(cutAtWidth('aaaa aaaa', { ...room, lines: 1 }), { shown: 'aaaa aaaa', isCut: false });
    assert.deepEqual(cutAtWidth('aaaa aaaa aaaa', { ...room, lines: 2 }), { shown: 'aaaa aaaa aaaa', isCut: false });
    assert.deepEqual(cutAtWidth('a'.repeat(30), { ...room, lines: 2 }).isCut, true);
    const { shown } = cutAtWidth('aaaa aaaa aaaa aaaa aaaa', { ...room, lines: 2 });
    assert.match(shown, /^aaaa aaaa aaaa a+…$/);
    assert.deepEqual(cutAtWidth('aaaa', { ...room, lines: 1, taken: 10_000 }), { shown: '…', isCut: true });
  });
});

describe('a locked phone', () => {
  const notifications = (message: Partial<MessageForInbox>) =>
    new Map(lockScreenNotifications({ html: '', sender: ann, ...message }).map((one) => [one.id, one]));
  it('shows the sender, the subject, and of the text what has room', () => {
    const ios = notifications({ html: sound('word '.repeat(80)), subject: 'News' }).get('ios-apple-mail')!;
    assert.deepEqual([ios.title, ios.subject, ios.isCut], ['Ann Brown', 'News', true]);
    assert.equal([...ios.preview].length + 4 <= 178, true);
    assert.deepEqual(ios.locked, { text: 'Notification', when: 'Show Previews is “When Unlocked” or “Never”' });
  });
  it('shows the text on Android when it is unfolded', () => {
    const gmail = notifications({ html: sound('Hello'), subject: 'News' }).get('android-gmail')!;
    assert.deepEqual(
      [gmail.subject, gmail.preview, gmail.unfolded],
      ['News', '', { subject: 'News', preview: 'Hello' }],
    );
  });
  it('shows a long subject alone', () => {
    const ios = notifications({ html: sound('Hello'), subject: 'S'.repeat(300) }).get('ios-apple-mail')!;
    assert.deepEqual([ios.subject.length, ios.preview, ios.isCut], [178, '', true]);
  });
});
