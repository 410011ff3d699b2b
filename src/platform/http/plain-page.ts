// Pages for people who have no account here: plain, small, in both themes, without a script.
import { HttpReply } from './contract.ts';

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

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

/** Text as HTML. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A page; title and body are HTML. A form in it posts to the page's own address. */
export function plainPage(title: string, body: string, status = 200): HttpReply {
  return new HttpReply(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
      `<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">` +
      `<style>${STYLE}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`,
    HEADERS,
    status,
  );
}
