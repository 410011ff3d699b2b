// The page that readers see.
import { escaped, plainPage, type HttpReply } from '../../../platform/http/index.ts';

interface Reader {
  recipient: string;
  domain: string;
  /** None: every message. */
  tags: readonly string[];
}

const fromWhat = ({ domain, tags }: Reader): string =>
  tags.length === 0
    ? `all mail from <b>${escaped(domain)}</b>`
    : `mail from <b>${escaped(domain)}</b> of this kind: ${tags.map((tag) => `<b>${escaped(tag)}</b>`).join(', ')}`;

/** Asks; the button posts to the page's own address. */
export const questionPage = (reader: Reader): HttpReply =>
  plainPage(
    'Unsubscribe?',
    `<p><b>${escaped(reader.recipient)}</b> will no longer get ${fromWhat(reader)}.</p>` +
      '<form method="post"><button type="submit">Unsubscribe</button></form>' +
      '<p class="dim"><br>Not you? Close this page, and nothing changes.</p>',
  );

export const donePage = (reader: Reader): HttpReply =>
  plainPage('Unsubscribed', `<p><b>${escaped(reader.recipient)}</b> will no longer get ${fromWhat(reader)}.</p>`);

export const unknownPage = (): HttpReply =>
  plainPage('This link does not work', '<p>It is incomplete, or the message is too old. Nothing has changed.</p>', 404);
