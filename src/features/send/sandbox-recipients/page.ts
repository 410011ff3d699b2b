// The page that the owner of an address sees.
import { escaped, plainPage, type HttpReply } from '../../../platform/http/index.ts';

interface Asked {
  email: string;
  domain: string;
}

/** Asks; the button posts to the page's own address. */
export const questionPage = ({ email, domain }: Asked): HttpReply =>
  plainPage(
    'Receive test messages?',
    `<p>Test messages from <b>${escaped(domain)}</b> will come to <b>${escaped(email)}</b>.</p>` +
      '<form method="post"><button type="submit">Yes, send them</button></form>' +
      '<p class="dim"><br>Not you? Close this page, and nothing comes.</p>',
  );

export const donePage = ({ email, domain }: Asked): HttpReply =>
  plainPage('Done', `<p><b>${escaped(email)}</b> can now receive test messages from <b>${escaped(domain)}</b>.</p>`);

export const unknownPage = (): HttpReply =>
  plainPage(
    'This link does not work',
    '<p>It is incomplete or too old, or there is a newer one. Nothing has changed.</p>',
    404,
  );
