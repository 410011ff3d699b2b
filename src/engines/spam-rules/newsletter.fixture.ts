// A newsletter that nothing speaks against.
import type { SpamInput } from './types.ts';

export const HEADERS = [
  { name: 'From', value: 'The Garden Letter <letter@news.example.com>' },
  { name: 'To', value: 'Anna Berg <anna@reader.example>' },
  { name: 'Subject', value: 'November in the garden: bulbs, leaves and frost' },
  { name: 'Date', value: 'Sat, 21 Nov 2026 10:00:00 +0100' },
  { name: 'Message-ID', value: '<20261121.4711@news.example.com>' },
  { name: 'MIME-Version', value: '1.0' },
  { name: 'Content-Type', value: 'multipart/alternative; boundary=x' },
  { name: 'List-Unsubscribe', value: '<https://news.example.com/leave/4711>' },
  { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
  { name: 'List-ID', value: 'The Garden Letter <letter.news.example.com>' },
];

export const TEXT = `Dear Anna,

the last tulips want to go into the ground before the first hard frost. Plant them as deep as
three times their height, and leave the leaves under the hedge: hedgehogs sleep there.

Read more about bulbs: https://www.example.com/bulbs

You get this letter because you subscribed on our site.
Unsubscribe: https://news.example.com/leave/4711
`;

export const HTML = `<!doctype html>
<html lang="en"><head><title>November in the garden</title></head>
<body style="background-color:#ffffff">
<div style="display:none;max-height:0;overflow:hidden">Tulips before the frost&#8199;&#65279;</div>
<h1 style="color:#223322">November in the garden</h1>
<img src="https://img.example.com/tulips.jpg" width="600" height="240" alt="Tulips">
<p>Dear Anna,</p>
<p>the last tulips want to go into the ground before the first hard frost. Plant them as deep as three times their height, and leave the leaves under the hedge: hedgehogs sleep there.</p>
<p><a href="https://www.example.com/bulbs">Read more about bulbs</a></p>
<p>You get this letter because you subscribed on our site. <a href="https://news.example.com/leave/4711">Unsubscribe</a></p>
</body></html>`;

export const NEWSLETTER: SpamInput = {
  html: HTML,
  text: TEXT,
  headers: HEADERS,
  subject: 'November in the garden: bulbs, leaves and frost',
  attachments: [],
  receivedAt: '2026-11-21T09:00:05Z',
};

/** The newsletter with something put into its body. */
export const withHtml = (piece: string): SpamInput => ({
  ...NEWSLETTER,
  html: HTML.replace('<p>Dear Anna,</p>', () => `<p>Dear Anna,</p>${piece}`),
});

/** The newsletter with fields replaced, added, or (undefined) taken out. */
export function withFields(fields: Record<string, string | readonly string[] | undefined>): SpamInput {
  const names = new Set(Object.keys(fields).map((name) => name.toLowerCase()));
  const added = Object.entries(fields).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => ({ name, value: one as string })),
  );
  const { subject: _subject, ...rest } = NEWSLETTER;
  return { ...rest, headers: [...HEADERS.filter(({ name }) => !names.has(name.toLowerCase())), ...added] };
}
