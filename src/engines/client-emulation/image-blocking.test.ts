import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { CLIENTS, findClient } from './catalog.ts';
import { blockImages } from './image-blocking.ts';
import { parseMessage, workOn } from './parse-message.ts';
import { serialize } from './serialize-document.ts';

const outlook = findClient('ol2021')!;
const gmail = findClient('gmail_chrome')!;
const appleMail = findClient('applemail_26')!;

function blocked(client: typeof gmail, html: string): string {
  const doc = workOn(parseMessage(html));
  blockImages(doc, client);
  return serialize(doc);
}

const bodyOf = (html: string) => /<body[^>]*>(.*)<\/body>/s.exec(html)![1]!;

describe('images off', () => {
  it("puts a box of the image's size with its alternative text in its place", () => {
    const html = blocked(
      gmail,
      '<img src="https://a.example/b.png" width="600" height="200" alt="Summer sale" style="color:red">',
    );
    assert.equal(
      bodyOf(html),
      '<blocked-image style="color:red" width="600px" height="200px"><blocked-frame><span class="blocked-styled">' +
        'Summer sale</span></blocked-frame></blocked-image>',
    );
    assert.match(html, /:where\(blocked-image\[width="600px"\]\)\{width:600px\}/);
    assert.match(html, /:where\(blocked-image\[height="200px"\]\)\{height:200px\}/);
  });

  it('loads nothing from outside any more', () => {
    const html = blocked(
      gmail,
      `<style>.a{background:#fff url(https://x.example/1.png) no-repeat}.b{content:url('https://x.example/2.png')}</style>
      <body background="https://x.example/3.png"><table background="https://x.example/4.png"><tr><td style="background-image:url(https://x.example/5.png)">
      <img srcset="https://x.example/6.png 2x" src="https://x.example/7.png"><picture><source srcset="https://x.example/8.png"><img src="https://x.example/9.png"></picture>
      <input type="image" src="https://x.example/10.png"><video poster="https://x.example/11.png" src="https://x.example/12.mp4"></video>
      <object data="https://x.example/13.png"></object><p style="list-style:url( &quot;https://x.example/14.png&quot; );background:image-set(url(https://x.example/15.png) 1x)">`,
    );
    assert.doesNotMatch(html, /x\.example/);
    assert.match(html, /\.a\{background:#fff none no-repeat\}/);
  });

  it('keeps pictures that travel in the message', () => {
    const html = blocked(
      gmail,
      '<style>img{border:0}</style><body><img src="cid:logo"><img src="data:image/gif;base64,R0"><img src="a.png">' +
        '<p style="background:url(cid:x)">',
    );
    assert.match(bodyOf(html), /^<img src="cid:logo"><img src="data:image\/gif;base64,R0"><blocked-image>/);
    assert.match(html, /:is\(img,blocked-image\)\{border:0\}/);
    assert.match(html, /style="background:url\(cid:x\)"/);
  });

  it("lets the message's rules for images style the placeholders", () => {
    const html = blocked(
      gmail,
      '<style>.hero img, img.big{width:100%}</style><div class="hero"><img class="big" src="a.png"></div>',
    );
    assert.match(html, /\.hero blocked-image,blocked-image\.big\{width:100%\}/);
    assert.match(html, /<blocked-image class="big">/);
  });

  it('shows nothing for a tracking pixel', () => {
    assert.equal(
      bodyOf(blocked(gmail, '<img src="a.gif" width="1" height="1" alt="">')),
      '<blocked-image width="1px" height="1px"></blocked-image>',
    );
    assert.equal(
      bodyOf(blocked(gmail, '<img src="a.gif" style="width:0px" alt="x">')),
      '<blocked-image style="width:0px"></blocked-image>',
    );
  });

  it("shows Outlook's warning before the alternative text, and none of it in Apple Mail", () => {
    assert.match(
      bodyOf(blocked(outlook, '<img src="a.png" alt="Sale">')),
      /<span class="blocked-notice">Right-click [^<]*Internet\.<\/span><span class="blocked-styled">Sale<\/span>/,
    );
    assert.equal(
      bodyOf(blocked(appleMail, '<img src="a.png" alt="Sale">')),
      '<blocked-image><blocked-frame></blocked-frame></blocked-image>',
    );
  });

  it("keeps Outlook's warning from stretching an icon into a column", () => {
    assert.match(bodyOf(blocked(outlook, '<img src="a.png" width="32">')), /<blocked-frame style="height:32px">/);
    assert.doesNotMatch(bodyOf(blocked(outlook, '<img src="a.png" width="32" height="20">')), /style="height/);
    assert.doesNotMatch(bodyOf(blocked(outlook, '<img src="a.png" width="600">')), /style="height/);
  });

  it('escapes alternative text', () => {
    assert.match(bodyOf(blocked(gmail, '<img src="a.png" alt="&lt;script&gt;">')), /&lt;script&gt;/);
  });

  it('keeps percentages, and drops sizes that are none', () => {
    assert.match(blocked(gmail, '<img src="a" width="50%">'), /<blocked-image width="50%">/);
    assert.match(blocked(gmail, '<img src="a" width="wide">'), /<blocked-image><blocked-frame/);
  });

  it('leaves a message without images as it is', () => {
    const html = '<!DOCTYPE html><html><head></head><body><p>a</p></body></html>';
    assert.equal(blocked(gmail, html), html);
  });

  it('looks different from images on in every client that can block them', () => {
    const message = '<img src="https://a.example/b.png" alt="a">';
    for (const client of CLIENTS)
      if (client.imageBlocking) assert.match(blocked(client, message), /<blocked-image>/, client.id);
  });
});
