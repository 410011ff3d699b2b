import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createChromium, type ChromiumRenderer } from '../chromium/chromium.ts';
import { chromiumsHere, imageAsset, NEVER, pixelOf, requestOf, starterFor } from '../../../../test/harness/browsers.ts';

interface Canary {
  port: number;
  sockets(): number;
  close(): Promise<void>;
}

/** Counts every TCP connection and UDP packet that reaches loopback, on IPv4 and IPv6 alike where there is any. */
async function openCanary(): Promise<Canary> {
  let count = 0;
  const tcp = createServer((socket) => {
    count += 1;
    socket.on('error', () => {});
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  });
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4');
  udp.on('message', () => {
    count += 1;
  });
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  return {
    port,
    sockets: () => count,
    async close() {
      tcp.close();
      udp.close();
      await Promise.all([once(tcp, 'close'), once(udp, 'close')]);
    },
  };
}

/** Every way to make a browser ask the network for something, or go elsewhere. */
function hostilePage(port: number): string {
  const at = (path: string, scheme = 'http'): string => `${scheme}://127.0.0.1:${port}/${path}`;
  return `<!doctype html><html manifest="${at('manifest')}"><head>
    <meta http-equiv="refresh" content="0;url=${at('refresh')}">
    <meta http-equiv="Content-Security-Policy" content="report-uri ${at('csp')}">
    <meta http-equiv="Link" content="<${at('link-header')}>; rel=preload; as=image">
    <base href="${at('base/')}">
    <link rel="preconnect" href="${at('')}"><link rel="preconnect" href="${at('', 'https')}" crossorigin>
    <link rel="dns-prefetch" href="//localhost:${port}"><link rel="prefetch" href="${at('prefetch')}">
    <link rel="prerender" href="${at('prerender')}"><link rel="preload" as="image" href="${at('preload')}">
    <link rel="modulepreload" href="${at('module.js')}"><link rel="stylesheet" href="${at('sheet.css')}">
    <link rel="icon" href="${at('favicon.ico')}"><link rel="apple-touch-icon" href="${at('touch.png')}">
    <link rel="manifest" href="${at('app.webmanifest')}"><link rel="import" href="${at('import.html')}">
    <script type="speculationrules">{"prefetch":[{"urls":["${at('speculation')}"]}],"prerender":[{"urls":["${at('speculation2')}"]}]}</script>
    <script src="${at('script.js')}"></script><script type="module" src="${at('module2.js')}"></script>
    <script>
      document.documentElement.style.background = '#ff0000';
      fetch('${at('fetch')}'); navigator.sendBeacon('${at('beacon')}'); new WebSocket('${at('ws', 'ws')}');
      new EventSource('${at('events')}'); window.open('${at('open')}'); location = '${at('location')}';
      const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] });
      peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));
      new WebTransport('${at('transport', 'https')}'); navigator.serviceWorker.register('${at('worker.js')}');
    </script>
    <style>
      @import url("${at('import.css')}"); @import "${at('import2.css')}" layer(x);
      @font-face { font-family: stolen; src: url("${at('font.woff2')}"); }
      body { font-family: stolen, sans-serif; margin: 0; background: #ffffff url("${at('background.png')}"); cursor: url("${at('cursor.png')}"), auto; }
      p { background-image: image-set("${at('set.png')}" 1x, "${at('set2.png')}" 2x); list-style-image: url("${at('list.png')}"); }
      p::before { content: url("${at('content.png')}"); } div { mask-image: url("${at('mask.svg')}#m"); filter: url("${at('filter.svg')}#f"); border-image: url("${at('border.png')}") 1; shape-outside: url("${at('shape.png')}"); clip-path: url("${at('clip.svg')}#c"); }
    </style></head>
    <body background="${at('body.png')}" onload="document.body.style.background='#ff0000'">
    <table background="${at('table.png')}" width="600" height="60"><tr><td background="${at('cell.png')}" bgcolor="#00ff00">green</td></tr></table>
    <img src="https://good.test/ok.png" width="20" height="20" style="position:absolute;left:300px;top:20px">
    <img src="${at('img.png')}"><img src="${at('https.png', 'https')}"><img src="//127.0.0.1:${port}/relative.png">
    <img src="http://localhost:${port}/localhost.png"><img src="http://[::1]:${port}/six.png"><img src="http://0x7f000001:${port}/hex.png">
    <img src="ftp://127.0.0.1:${port}/ftp.png"><img src="file:///etc/passwd"><img src="chrome://version/"><img src="view-source:${at('view')}">
    <img src="blob:${at('blob')}"><img src="filesystem:${at('fs')}"><img srcset="${at('srcset1.png')} 1x, ${at('srcset2.png')} 2x">
    <img src="x" onerror="document.body.style.background='#ff0000'" lowsrc="${at('low.png')}" longdesc="${at('long')}" usemap="${at('map')}">
    <picture><source srcset="${at('picture.webp')}" type="image/webp"><img src="${at('picture.png')}" loading="lazy"></picture>
    <iframe src="${at('frame')}"></iframe><iframe srcdoc="<img src='${at('srcdoc.png')}'><meta http-equiv=refresh content='0;url=${at('framerefresh')}'>"></iframe>
    <iframe src="file:///etc/passwd"></iframe><iframe src="data:text/html,<img src='${at('dataframe.png')}'>"></iframe>
    <frameset><frame src="${at('frameset')}"></frameset><portal src="${at('portal')}"></portal><fencedframe src="${at('fenced')}"></fencedframe>
    <object data="${at('object')}" type="text/html"></object><object data="${at('object.svg')}" type="image/svg+xml"></object>
    <embed src="${at('embed')}" type="text/html"><applet code="x" codebase="${at('applet/')}"></applet>
    <video src="${at('video.mp4')}" poster="${at('poster.png')}" autoplay muted><track src="${at('track.vtt')}" default></video>
    <audio src="${at('audio.mp3')}" autoplay></audio><bgsound src="${at('bgsound.mp3')}">
    <svg width="10" height="10"><script href="${at('svg.js')}"/><use href="${at('use.svg')}#u"/><image href="${at('svgimage.png')}" width="5" height="5"/>
      <feImage href="${at('feimage.png')}"/><foreignObject><iframe src="${at('foreign')}"></iframe></foreignObject>
      <set attributeName="href" to="${at('set')}"/><a href="${at('svglink')}"><animate attributeName="href" values="${at('animate')}"/></a></svg>
    <math href="${at('math')}"><mi>x</mi></math>
    <form action="${at('form')}" method="post" id="f"><input type="image" src="${at('input.png')}"><input name="q" value="1" autofocus onfocus="this.form.submit()"><button formaction="${at('formaction')}">go</button></form>
    <a href="${at('link')}" ping="${at('ping')}" id="autoclick">link</a><a href="javascript:location='${at('javascript')}'">js</a>
    <details open ontoggle="location='${at('toggle')}'"><summary>x</summary></details>
    <p style="background:url(${at('inline.png')})">text</p><div style="width:10px;height:10px;background:image(url(${at('image.png')}))">x</div>
    <isindex action="${at('isindex')}"><command icon="${at('command.png')}"><q cite="${at('cite')}">q</q><del cite="${at('del')}">d</del>
    <input type="text" value="x" style="behavior:url(${at('behavior.htc')});-moz-binding:url(${at('binding.xml')})">
    </body></html>`;
}

for (const install of await chromiumsHere()) {
  describe(`a hostile page in ${install.version} with nothing but its flags`, () => {
    let canary: Canary;
    let chromium: ChromiumRenderer;
    before(async () => {
      canary = await openCanary();
      // No namespace: what holds here holds wherever Galley runs.
      chromium = createChromium(await starterFor(install));
    });
    after(async () => {
      await chromium.close();
      await canary.close();
    });

    it('has a canary that notices a connection', async () => {
      const socket = connect(canary.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.destroy();
      assert.equal(canary.sockets(), 1);
    });

    it('opens no socket, runs nothing, stays where it is, and still shows the asset that is served', async () => {
      const good = await imageAsset('#0000ff');
      const asked: string[] = [];
      const assets = async (url: string): Promise<typeof good | undefined> => {
        asked.push(url);
        return url === 'https://good.test/ok.png' ? good : undefined;
      };
      const before = canary.sockets();
      const first = await chromium.render(requestOf(hostilePage(canary.port), { assets }), NEVER);
      // A second document gives whatever was started late (preconnect, refresh) the time of a whole render.
      const second = await chromium.render(requestOf('<body style="margin:0;background:#123456">', { assets }), NEVER);
      assert.equal(canary.sockets() - before, 0);
      assert.equal(await pixelOf(first.png, 310, 30), '#0000ff');
      assert.equal(await pixelOf(first.png, 100, 30), '#00ff00');
      assert.equal(await pixelOf(first.png, 590, first.height - 1), '#ffffff');
      assert.equal(await pixelOf(second.png, 5, 5), '#123456');
      assert.ok(
        asked.includes(`http://127.0.0.1:${canary.port}/img.png`),
        'the page was parsed: its images were asked for',
      );
      assert.deepEqual(
        asked.filter((url) => !/^https?:/.test(url)),
        [],
        'only web addresses reach the asset source',
      );
    });
  });
}
