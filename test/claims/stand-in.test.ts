// The stand-in of Thunderbird against the real one, on a few messages; the whole table: `npm run bench -- thunderbird`.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openBrowser, type Browser } from '../../src/platform/browser/index.ts';
import { probeThunderbird } from '../../src/platform/browser/gecko/thunderbird.ts';
import { quietLog } from '../harness/engine-bed.ts';
import { compareStandIn } from './stand-in.ts';

const skip = (await probeThunderbird()) === undefined && 'Thunderbird is not installed';
const ALIKE_MIN = 0.98;
const HEIGHT_TOLERANCE = 0.01;

const MESSAGES: Record<string, string> = {
  'columns that hang on a child selector, and a media query': `<!doctype html><html><head><style>
    .moz-text-html .half{width:50%!important;max-width:50%}
    .half{width:100%;display:inline-block;vertical-align:top}
    @media only screen and (min-width:480px){.half{width:25%!important}}</style></head>
    <body style="margin:0;background:#f4f4f4"><div style="font-size:0">
    <div class="half"><p style="font:16px/24px Arial;color:#222222">One of two columns with some words in it.</p></div><div
    class="half"><p style="font:16px/24px Arial;color:#222222">The other.</p></div></div></body></html>`,
  'text without a font or a doctype': `<body bgcolor="#ffffff" text="#333333" style="line-height:2"><p>Some words.</p>
    <table width="400"><tr><td>A cell</td></tr></table><a href="https://example.com/">A link</a>
    <ul><li>One</li><li>Two</li></ul></body>`,
  'light, dark and colored boxes': `<!doctype html><body style="margin:0"><table width="100%" cellpadding="20"><tr>
    <td bgcolor="#ffffff"><font color="#000000">White</font></td><td style="background:#101010;color:#ffffff">Dark</td>
    <td style="background-color:#0055cc;color:#ffffff">Blue</td><td style="background:#ffeecc;color:#663300">Cream</td>
    </tr></table><img src="https://img.example/wide.png" width="2000" height="100" style="max-width:none"></body>`,
};

describe('the stand-in of Thunderbird', { skip, timeout: 240_000 }, () => {
  let browser: Browser;
  before(async () => {
    browser = await openBrowser({ log: quietLog, size: 1 });
  });
  after(() => browser.close());

  for (const [name, html] of Object.entries(MESSAGES))
    for (const scheme of ['light', 'dark'] as const)
      it(`draws as Thunderbird does: ${name} (${scheme})`, async () => {
        const { alike, height } = await compareStandIn(browser, { name, html }, scheme);
        assert.ok(alike >= ALIKE_MIN, `${(alike * 100).toFixed(2)} % of the pixels are alike`);
        assert.ok(Math.abs(height - 1) <= HEIGHT_TOLERANCE, `the height is ${height.toFixed(3)} of Thunderbird's`);
      });
});
