// The page that readers see: plain, small, in both themes, without a script.

const STYLE = `
:root{color-scheme:light dark;--ground:#fff;--text:#1b1b1b;--dim:#5c5c5c;--button:#1f5fbf;--on:#fff}
@media(prefers-color-scheme:dark){:root{--ground:#17181a;--text:#ececec;--dim:#a8a8a8;--button:#7fb0ff;--on:#10131a}}
*{box-sizing:border-box}
body{margin:0;padding:12vh 20px 20px;background:var(--ground);color:var(--text);font:17px/1.5 system-ui,sans-serif}
main{max-width:30rem;margin:0 auto;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}
p{margin:0 0 1.25rem}
.dim{color:var(--dim);font-size:.9rem}
button{font:inherit;font-weight:600;padding:.7rem 1.4rem;border:0;border-radius:8px;background:var(--button);
color:var(--on);cursor:pointer}
button:focus-visible{outline:3px solid var(--text);outline-offset:2px}`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function page(title: string, body: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
    `<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">` +
    `<style>${STYLE}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`
  );
}

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
export const questionPage = (reader: Reader): string =>
  page(
    'Unsubscribe?',
    `<p><b>${escaped(reader.recipient)}</b> will no longer get ${fromWhat(reader)}.</p>` +
      '<form method="post"><button type="submit">Unsubscribe</button></form>' +
      '<p class="dim"><br>Not you? Close this page, and nothing changes.</p>',
  );

export const donePage = (reader: Reader): string =>
  page('Unsubscribed', `<p><b>${escaped(reader.recipient)}</b> will no longer get ${fromWhat(reader)}.</p>`);

export const unknownPage = (): string =>
  page('This link does not work', '<p>It is incomplete, or the message is too old. Nothing has changed.</p>');
