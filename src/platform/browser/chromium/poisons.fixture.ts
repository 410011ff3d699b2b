// Documents that try to leave something in their page for the next one, and documents that would show it.

const FAR = 'https://poison.test';

function page(head: string, body = '<p>Poison', root = ''): string {
  return `<!doctype html><html${root}><head>${head}</head><body>${body}`;
}

const meta = (equivalent: string, content: string): string =>
  page(`<meta http-equiv="${equivalent}" content="${content}">`);
const style = (css: string): string => page(`<style>${css}</style>`);

const IMPORT_LOOP = `<style>@import url("${FAR}/loop.css"); @import url("${FAR}/loop.css") layer(a);</style>`;
const EVERYTHING = '*{color:red!important;background:blue!important;font-size:40px!important}';

/** By what they try. */
export const POISONS: Readonly<Record<string, string>> = {
  'quirks mode': '<body><table><tr><td>Poison',
  'an XHTML prologue':
    '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="ja"><body>',
  'almost standards':
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd"><body>',
  'a frame set': `<!doctype html><html><frameset rows="50%,50%"><frame src="${FAR}/a"><frame src="about:blank"></frameset>`,
  'a policy': meta('Content-Security-Policy', "default-src 'none'"),
  'a policy in other letters': meta('cOnTent-security-POLICY', 'style-src &#39;none&#39;; img-src &#39;none&#39;'),
  'a policy with space around it': meta(' Content-Security-Policy ', "img-src 'none'"),
  'a policy that only reports': meta('Content-Security-Policy-Report-Only', `img-src 'none'; report-uri ${FAR}/report`),
  'a policy in the body': page('', `<meta http-equiv="Content-Security-Policy" content="img-src 'none'"><p>Poison`),
  'a policy in a template': page(
    '',
    `<template shadowrootmode="open"><meta http-equiv="Content-Security-Policy" content="img-src 'none'"></template>`,
  ),
  'a color scheme': page('<meta name="color-scheme" content="dark">'),
  'a color scheme in other letters': page('<meta name="COLOR-scheme" content="only dark">'),
  'two color schemes': page('<meta name="color-scheme" content="dark"><meta name="color-scheme" content="light dark">'),
  'a color scheme in the body': page('', '<div><meta name="color-scheme" content="dark"></div>'),
  'a color scheme of the root': style(':root{color-scheme:dark;background:black;color:white}'),
  'a theme color': page('<meta name="theme-color" content="#ff0000">'),
  'a refresh': meta('refresh', `0;url=${FAR}/refresh`),
  'a refresh of itself': meta('refresh', '0'),
  'a later refresh': meta('refresh', '1'),
  'a default style': `${meta('default-style', 'alternate')}<style title="alternate">${EVERYTHING}</style>`,
  'a preferred style': page('<style title="mine">p{color:red}</style><style title="other">p{color:blue}</style>'),
  'a preferred link': page(`<link rel="stylesheet" title="mine" href="${FAR}/sheet.css">`),
  'a language': meta('content-language', 'ja'),
  'a language of the root': page('', '<p>Poison', ' lang="zh-Hant" dir="rtl"'),
  'a cookie': meta('set-cookie', 'a=b'),
  'a prefetch control': meta('x-dns-prefetch-control', 'on'),
  'an origin trial': meta('origin-trial', 'AnyToken'),
  'client hints': meta('delegate-ch', `sec-ch-dpr ${FAR}`),
  'a referrer': page('<meta name="referrer" content="unsafe-url">'),
  'a viewport': page('<meta name="viewport" content="width=200, initial-scale=3, user-scalable=no">'),
  'a text scale': page('<meta name="text-scale" content="scale">'),
  'a character set': '<!doctype html><meta charset="shift_jis"><p>Poison',
  'a base': page(`<base href="${FAR}/else/" target="_top">`),
  'an XML base': page('', `<svg xml:base="${FAR}/else/"><image href="a.png"/></svg>`),
  'link colors': page('', '<a href="#a">a</a>', '').replace(
    '<body>',
    '<body link="red" vlink="lime" alink="aqua" text="blue" bgcolor="black">',
  ),
  'body margins': page('').replace(
    '<body>',
    '<body marginheight="50" marginwidth="50" topmargin="60" background="a.png">',
  ),
  'right to left and zoom': page('<style>html{zoom:2;direction:rtl;writing-mode:vertical-rl}</style>'),
  'overflow and snapping': style(
    'html{overflow:scroll;scroll-snap-type:y mandatory;scroll-behavior:smooth;scroll-padding:200px}',
  ),
  'a huge scroll': page('<style>div{height:30000px}</style>', '<div></div><input autofocus id="deep">'),
  'scroll anchors': page('<style>*{overflow-anchor:auto}</style>', '<div style="height:9000px"></div><a id="x"></a>'),
  'focus by every way': page('', '<button autofocus>b</button><div contenteditable autofocus tabindex="1">c</div>'),
  'a font of the same name': style(
    `@font-face{font-family:"Probe Face";src:url(${FAR}/font.woff2),local("Tinos")}p{font-family:"Probe Face"}`,
  ),
  'a font in place of Arial': style('@font-face{font-family:Arial;src:local("Cousine")}p{font-family:Arial}'),
  'a registered property': style('@property --probe{syntax:"<color>";inherits:false;initial-value:red}'),
  'a counter style': style('@counter-style probe{system:cyclic;symbols:"X";suffix:"X"}'),
  'layers in another order': style('@layer late, early;'),
  'key frames': style('@keyframes probe{to{background:red;transform:translateX(99px)}}p{animation:probe 99s infinite}'),
  'an endless timeline': style(
    'html{animation:x 9s infinite;timeline-scope:--t;scroll-timeline:--t}@keyframes x{to{zoom:2}}',
  ),
  'a view transition': style(
    '@view-transition{navigation:auto}:root{view-transition-name:probe}::view-transition{background:red}',
  ),
  'a page rule': style('@page{size:200px 200px;margin:0}@media print{body{display:none}}'),
  'a namespace': style('@namespace url(http://www.w3.org/2000/svg);p{color:red}'),
  'imports that go round': page(IMPORT_LOOP),
  'position areas and anchors': style('p{anchor-name:--probe;position-anchor:--probe}@position-try --probe{top:0}'),
  'a selection': style('::selection{background:red}:target{display:none}:visited{color:red}'),
  'preloads of every kind': page(
    ['preload', 'prefetch', 'prerender', 'manifest', 'icon', 'modulepreload', 'preconnect', 'dns-prefetch', 'next']
      .map((rel) => `<link rel="${rel}" as="image" href="${FAR}/${rel}.png">`)
      .join(''),
  ),
  'speculation rules': page(`<script type="speculationrules">{"prerender":[{"urls":["${FAR}/x"]}]}</script>`),
  scripts: page('<script>document.documentElement.style.background="red";setInterval(()=>location="/",1)</script>'),
  'frames and plug-ins': page(
    '',
    `<iframe src="${FAR}/f" srcdoc="<p>x"></iframe><object data="${FAR}/o"></object><embed src="${FAR}/e"><portal src="${FAR}/p"></portal><fencedframe></fencedframe>`,
  ),
  'a dialog and popovers': page(
    '',
    '<dialog open style="position:fixed;inset:0">D</dialog><div popover="manual" id="p">P</div><button popovertarget="p">b</button>',
  ),
  'details of one name': page(
    '',
    '<details name="probe" open><summary>s</summary>d</details><details name="probe" open>e</details>',
  ),
  'forms filled in': page(
    '',
    '<form><input name="probe" value="poison"><input type="checkbox" name="check" checked><select name="sel"><option>1<option selected>2</select><textarea name="area">poison</textarea></form>',
  ),
  'an image map': page(
    '',
    '<map name="probe"><area shape="default" href="#x" tabindex="1" autofocus></map><img usemap="#probe" src="a.png">',
  ),
  'a shadow root': page(
    '',
    `<div><template shadowrootmode="open"><style>:host,*{color:red}</style><slot></slot></template>x</div>`,
  ),
  'an open comment': page('', '<p>a<!-- never closed'),
  'open text': page('', '<textarea>never closed'),
  'plain text': page('', '<plaintext>never closed'),
  'an open title': '<!doctype html><title>never closed',
  'an open style': `<!doctype html><style>${EVERYTHING}`,
  'an open select': page('', '<select><option>never closed'),
  'an open SVG': page('', '<svg><style>*{fill:red}</style><g><text y="20">never closed'),
  'an open template': page('', '<template><p>never closed'),
  'deep elements': page('', '<div>'.repeat(600)),
  'names that hide properties': page(
    '',
    ['querySelectorAll', 'documentElement', 'body', 'head', 'remove', 'fonts', 'innerWidth', 'Element']
      .map((name) => `<form id="${name}" name="${name}"><input name="remove"></form>`)
      .join(''),
  ),
  'nothing at all': '',
};

const CONTENT = `<p class="a">Text in Arial with a <a href="https://far.test/">link</a>, <a href="#top">another</a>, 日本語 骨, ещё</p>
<p class="b">Probe face</p><div class="c">color</div><div class="d">layer</div><ol class="e"><li>one<li>two</ol>
<img src="a.png" width="30" height="30"><img src="photo.jpg" width="90"><img src="missing.png" width="30" height="20" alt="none">
<table width="300" height="40" bgcolor="#eeeeee"><tr><td width="50%">cell<td>cell</table>
<form><input name="probe" size="9"><input type="checkbox" name="check"><select name="sel"><option>1<option>2</select><textarea name="area" rows="1"></textarea><progress></progress><button>b</button></form>
<details name="probe"><summary>summary</summary>inside</details><div popover id="p">never</div><dialog>never</dialog>
<div style="width:99" class="f">quirk</div><svg width="60" height="20"><text y="15">svg</text></svg><img usemap="#probe" src="a.png" width="9"><hr>`;
const SHEET = `<style>body{margin:8px}.a{font:16px Arial}.b{font-family:"Probe Face",Courier New}.c{background:var(--probe,#3366cc)}
.e{list-style:probe}.f{height:20;background:#999}@layer early{.d{color:#008000}}@layer late{.d{color:#cc00cc}}
@keyframes other{to{opacity:.5}}.d{animation:other 1s forwards}p:target{color:red}@media (prefers-color-scheme:dark){hr{border:9px solid}}
</style>`;

/** In standards mode and in quirks mode. */
export const PROBES: Readonly<Record<string, string>> = {
  standards: `<!doctype html><html><head>${SHEET}</head><body>${CONTENT}`,
  quirks: `<html><head>${SHEET}</head><body>${CONTENT}`,
};

/** Whether it has its color depends on the styles that earlier documents preferred. */
export const TITLED = '<!doctype html><style title="probe">p{background:#00aaaa}</style><p>titled';
