// Marketing emails: tables, product cards, a FAQ, media queries, a dark-mode query, conditional comments with VML,
// pictures, and a tracking pixel that fails.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';

/** A long one: 60 KB, 15,700 pixels. */
const PRODUCTS = 20;
const QUESTIONS = 58;

const STYLE = `body{margin:0;padding:0;background:#f4f1ea}.wrap{max-width:640px;margin:0 auto;background:#ffffff}
h1{font:700 34px/40px Georgia,serif;color:#23201b}h2{font:700 22px/28px Georgia,serif;color:#23201b}p{font:16px/24px Arial,Helvetica,sans-serif;color:#4a463e}
.btn{background:#b3402a;color:#ffffff;border-radius:6px;padding:14px 28px;text-decoration:none;display:inline-block;font:700 16px/20px Arial}
.card{border:1px solid #e6dfd2;border-radius:12px;box-shadow:0 2px 8px rgba(0,0,0,.08)}.price{color:#b3402a;font-weight:700}
@media (max-width:600px){.wrap{width:100%!important}.col{display:block!important;width:100%!important}h1{font-size:28px!important;line-height:34px!important}}
@media (prefers-color-scheme:dark){body{background:#1b1916!important}.wrap{background:#26231f!important}h1,h2{color:#f4efe6!important}p{color:#cfc8bb!important}}
@font-face{font-family:Brand;src:url(IMAGES/brand.woff2) format("woff2")}.hero td:hover{opacity:.9}.card:nth-child(2n){background:#fffaf2}`;

function product(n: number): string {
  return `<td class="col" width="50%" valign="top" style="padding:12px"><table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0"><tr><td style="padding:0"><img src="IMAGES/product-${n}.jpg" width="280" height="200" alt="Product number ${n}" style="display:block;width:100%;height:auto;border:0;border-radius:12px 12px 0 0"></td></tr>
<tr><td style="padding:16px"><h2 style="margin:0 0 8px">Letterpress set no. ${n}</h2><p style="margin:0 0 12px;font-size:15px;line-height:22px">Hand-set type, cotton paper, and an edition of ${n * 40} prints. Ships flat in a rigid sleeve with a note from the printer.</p><p class="price" style="margin:0 0 16px">&euro; ${n * 7 + 19}.00</p><a class="btn" href="https://shop.example.com/sets/${n}?utm_source=mail&amp;utm_campaign=spring">Look at set ${n}</a></td></tr></table></td>`;
}

function question(n: number): string {
  return (
    '<tr><td style="padding:14px 24px;border-bottom:1px solid #e6dfd2"><p style="margin:0 0 ' +
    `6px;font-weight:700;color:#23201b">${n}. How does delivery number ${n} work, and what happens when the parcel ` +
    'is late?</p><p style="margin:0;font-size:15px;line-height:23px">We hand parcels to the carrier within ' +
    `${(n % 5) + 1} working days. You get a link to follow it. Should it be lost we print it again without asking ` +
    'why; should it be late by more than a week the postage comes back to you by itself. ' +
    `Read <a href="https://help.example.com/delivery/${n}" style="color:#b3402a">the whole answer</a> or write back ` +
    'to this message.</p></td></tr>'
  );
}

/** The HTML, with its pictures at `imagesUrl`. Of products there is an even number. */
export function marketingEmail(imagesUrl: string, { products = PRODUCTS, questions = QUESTIONS } = {}): string {
  const rows = Array.from(
    { length: products / 2 },
    (_, row) => `<tr>${product(row * 2 + 1)}${product(row * 2 + 2)}</tr>`,
  );
  const social = ['a', 'b', 'c', 'd', 'e'].map(
    (name) =>
      `<a href="https://social.example.com/${name}"><img src="IMAGES/social-${name}.png" width="32" height="32" ` +
      `alt="Network ${name}" style="margin:0 6px"></a>`,
  );
  return `<!DOCTYPE html><html lang="en" dir="ltr" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>The spring list</title>
<!--[if mso]><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><style>h1,h2,p{font-family:Arial!important}</style><![endif]--><style>${STYLE}</style></head><body>
<div style="display:none;max-height:0;overflow:hidden">New sets, and the answers to many questions.</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center"><table role="presentation" class="wrap" width="640" cellpadding="0" cellspacing="0">
<tr><td class="hero" style="padding:0"><img src="IMAGES/hero.jpg" width="640" height="360" alt="A press at work" style="display:block;width:100%;height:auto"></td></tr>
<tr><td style="padding:32px 24px"><h1 style="margin:0 0 16px">The spring list is here</h1><p style="margin:0 0 24px">Sets printed by hand between March and May.</p>
<!--[if mso]><v:roundrect href="https://shop.example.com/" style="height:48px;v-text-anchor:middle;width:220px" arcsize="12%" stroke="f" fillcolor="#b3402a"><w:anchorlock/><center style="color:#ffffff;font-family:Arial;font-size:16px;font-weight:bold">See the list</center></v:roundrect><![endif]--><!--[if !mso]><!--><a class="btn" href="https://shop.example.com/">See the list</a><!--<![endif]--></td></tr>
<tr><td><table role="presentation" width="100%" cellpadding="0" cellspacing="0">${rows.join('\n')}</table></td></tr>
<tr><td style="padding:32px 24px 8px"><h2 style="margin:0">Questions</h2></td></tr>${Array.from({ length: questions }, (_, n) => question(n + 1)).join('\n')}
<tr><td style="padding:24px"><form action="https://forms.example.com/" method="post"><input type="email" name="email" placeholder="Your address"><button>Join</button></form><video poster="IMAGES/hero.jpg" width="320"></video><svg width="40" height="40"><circle cx="20" cy="20" r="18" fill="#b3402a"/></svg><script>document.title='x'</script></td></tr>
<tr><td align="center" style="padding:24px">${social.join('')}<p style="font-size:12px;line-height:18px">You get this because you asked for it. <a href="https://mail.example.com/unsubscribe">Unsubscribe</a></p></td></tr></table></td></tr></table><img src="IMAGES/open.gif" width="1" height="1" alt=""></body></html>`.replaceAll(
    'IMAGES',
    imagesUrl,
  );
}

async function noise(width: number, height: number): Promise<Buffer> {
  const base = sharp({
    create: { width, height, channels: 3, background: '#8a6f4d', noise: { type: 'gaussian', mean: 128, sigma: 24 } },
  });
  return base.blur(2).jpeg({ quality: 72 }).toBuffer();
}

/** A server on loopback with the pictures; `close()` it. */
export async function imageServer(): Promise<{ url: string; close: () => void }> {
  const card = await noise(560, 400);
  const hero = await noise(1280, 720);
  const icon = await sharp({ create: { width: 64, height: 64, channels: 4, background: '#b3402a' } })
    .png()
    .toBuffer();
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path.endsWith('.png')) return response.writeHead(200, { 'content-type': 'image/png' }).end(icon);
    if (path.endsWith('.jpg'))
      return response.writeHead(200, { 'content-type': 'image/jpeg' }).end(path.includes('hero') ? hero : card);
    return response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
