import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { findClient } from '../catalog.ts';
import { parseMessage, workOn } from '../parse-message.ts';
import { serialize } from '../serialize-document.ts';
import { vmlPlugin } from './vml.ts';

function draw(html: string): { body: string; bodyTag: string; notes: string[] } {
  const doc = workOn(parseMessage(html), 16);
  vmlPlugin(doc, findClient('ol2021')!, { images: true });
  const [, bodyTag, body] = /(<body[^>]*>)([^]*)<\/body>/.exec(serialize(doc))!;
  return { body: body!.trim(), bodyTag: bodyTag!, notes: doc.notes };
}

/** The style of the first shape drawn, without the declarations that every shape in a line of text has. */
function styleOf(html: string): string {
  const style = /<vml-shape style="([^"]*)"/.exec(draw(html).body)![1]!.replaceAll('&quot;', '"');
  return style
    .replace(/^display:inline-(?:block|flex);box-sizing:border-box;vertical-align:bottom;?/, '')
    .replace('position:relative;', '')
    .replace(/;?position:relative$/, '');
}

const LABEL =
  'display:inline-flex;box-sizing:border-box;vertical-align:bottom;width:200px;height:40px;position:relative;' +
  'flex-direction:column;justify-content:center;overflow:hidden;background-color:#556270;border:1px solid ' +
  '#1e3650;border-radius:4px';
const TEXT = 'display:block;box-sizing:border-box;width:100%;flex:none;padding:';

describe('VML', () => {
  it('draws a bulletproof button', () => {
    const source =
      '<div><!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="http://a.test/" ' +
      'style="height:40px;v-text-anchor:middle;width:200px;" arcsize="10%" strokecolor="#1e3650" fillcolor="#556270">' +
      '<w:anchorlock/><center style="color:#fff">Go</center></v:roundrect><![endif]--></div>';
    assert.equal(
      draw(source).body,
      `<div><vml-shape style="${LABEL}"><vml-text style="${TEXT}0 9.6px">` +
        '<span style="color:#fff;display:block;text-align:-webkit-center">Go</span></vml-text></vml-shape></div>',
    );
  });

  it('keeps a button inside its paragraph', () => {
    const { body } = draw('<p>a<v:rect style="width:9px"><center>b</center></v:rect>c</p>');
    assert.match(body, /^<p>a<vml-shape [^>]*><vml-text [^>]*><span [^>]*>b<\/span><\/vml-text><\/vml-shape>c<\/p>$/);
  });

  it('draws a bulletproof background under the content', () => {
    const { body } = draw(
      '<!--[if gte mso 9]><v:rect fill="true" stroke="false" style="width:600px;height:175px;">' +
        '<v:fill type="tile" src="http://a.test/b.png" color="#222222" /><v:textbox inset="0,0,0,0"><![endif]-->' +
        '<div><p>a</p></div><!--[if gte mso 9]></v:textbox></v:rect><![endif]-->',
    );
    assert.equal(
      body,
      '<vml-shape style="display:inline-flex;box-sizing:border-box;vertical-align:bottom;width:600px;' +
        'height:175px;position:relative;' +
        'flex-direction:column;justify-content:flex-start;overflow:hidden;background-color:#222222;' +
        'background-image:url(&quot;http://a.test/b.png&quot;);background-repeat:repeat">' +
        `<vml-text style="${TEXT}0px 0px 0px 0px"><div><p>a</p></div></vml-text></vml-shape>`,
    );
  });

  it('finds the content of a shape whose fill is not closed', () => {
    const { body } = draw(
      '<v:rect stroked="f" style="width:9px"><v:fill type="frame" src="a.png"><v:textbox>b</v:textbox></v:rect>',
    );
    assert.match(body, /background-image:url\(&quot;a\.png&quot;\).*<vml-text [^>]*>b<\/vml-text><\/vml-shape>$/);
  });

  it('shows nothing of what only describes', () => {
    assert.equal(
      draw('a<v:shapetype id="x"><v:formulas><v:f eqn="1"/>c</v:formulas></v:shapetype>b').body,
      'a<span></span>b',
    );
    assert.equal(draw('a<w:anchorlock/><v:fill src="b"/>').body, 'a<span></span><span></span>');
  });

  it('changes nothing without VML', () => {
    const source = '<p style="color:red">a <svg><path d="M0 0"></path></svg></p>';
    assert.equal(draw(source).body, source);
  });

  it('paints the page', () => {
    const { bodyTag, body } = draw(
      '<v:background fill="t"><v:fill type="tile" src="a.png" color="#7bceeb"/></v:background>',
    );
    assert.equal(
      bodyTag,
      '<body style="background-color:#7bceeb;background-image:url(&quot;a.png&quot;);background-repeat:repeat">',
    );
    assert.equal(body, '<span></span>');
  });

  it('puts a picture behind the text of its cell', () => {
    const { body } = draw(
      '<div><v:image style="position:absolute;top:5px;width:600px;mso-position-horizontal:ce' +
        'nter" src="a.png" />b</div>',
    );
    assert.equal(
      body,
      '<div style="position:relative;isolation:isolate">' +
        '<vml-shape style="display:inline-block;box-sizing:border-box;vertical-align:bottom;width:600px;' +
        'position:absolute;z-index:-1;top:5px;left:0;right:0;margin:0 auto">' +
        '<img src="a.png" alt="" style="width:100%!important;height:auto!important;display:block"></vml-shape>b</div>',
    );
  });

  it('scales the shapes of a group', () => {
    const { body } = draw(
      '<v:group style="width:100px;height:50px" coordsize="1000,500" coordorigin="100,0">' +
        '<v:oval style="left:600;top:0;width:500;height:250" stroked="f"/></v:group>',
    );
    assert.match(
      body,
      /<vml-shape style="[^"]*width:50px;height:25px;position:absolute;left:50px;top:0px;background-color:white;border-radius:50%">/,
    );
  });

  it('says what it does not draw', () => {
    const { body, notes } = draw('<v:arc style="width:5px">a</v:arc><v:arc/>');
    assert.equal(body, '<span>a</span><span></span>');
    assert.deepEqual(notes, ['A VML shape of kind v:arc is not drawn here; Outlook draws it.']);
  });

  it('draws many shapes and odd ones', () => {
    const hostile =
      '<v:rect style="width:9px"><v:fill type="gradient" colors="x;;0 #f00"/>'.repeat(5000) +
      `<v:shape path="m${'1,'.repeat(5000)}" style="${'a:b;'.repeat(5000)}"/><v:line from="x" to="1e9,2"/>` +
      '<v:group coordsize="0,0"><v:rect/></v:group>';
    assert.match(draw(hostile).body, /^<vml-shape/);
  });
});

describe('looks of VML shapes', () => {
  const looks: [promise: string, source: string, style: string][] = [
    [
      'have a black line and are white by default',
      '<v:rect style="width:10px;height:5px"/>',
      'width:10px;height:5px;background-color:white;border:1px solid black',
    ],
    [
      'take points and bare numbers',
      '<v:rect stroked="f" style="width:75pt;height:30"/>',
      'width:100px;height:30px;background-color:white',
    ],
    [
      'fill a share of the column',
      '<v:rect stroked="f" filled="f" style="width:10px;mso-width-percent:1000"/>',
      'width:100%',
    ],
    [
      'are as high as their text when told so',
      '<v:rect stroked="f" filled="f" style="width:10px;height:5px">' +
        '<v:textbox style="mso-fit-shape-to-text:true">a</v:textbox></v:rect>',
      'width:10px',
    ],
    [
      'take lines from either place',
      '<v:rect filled="f" strokecolor="red" strokeweight="3pt" style="width:1px"><v:stroke color="blue" ' +
        'dashstyle="dash"/></v:rect>',
      'width:1px;border:4px dashed blue',
    ],
    ['know lines that are off', '<v:rect stroke="f" fillcolor="none" style="width:1px"/>', 'width:1px'],
    [
      'know lines of no color',
      '<v:rect strokecolor="none" fillcolor="#abc" style="width:1px"/>',
      'width:1px;background-color:#abc',
    ],
    [
      'know themed colors',
      '<v:rect stroked="f" fillcolor="#4f81bd [3204]" style="width:1px"/>',
      'width:1px;background-color:#4f81bd',
    ],
    [
      'refuse colors that are none',
      '<v:rect stroked="f" fillcolor="red;x:url(a)" style="width:1px"/>',
      'width:1px;background-color:white',
    ],
    [
      'are see-through in part',
      '<v:rect stroked="f" fillcolor="red" style="width:1px"><v:fill opacity="50%"/></v:rect>',
      'width:1px;background-color:color-mix(in srgb,red 50%,transparent)',
    ],
    [
      'have round corners of their own accord',
      '<v:roundrect stroked="f" style="width:100px;height:50px"/>',
      'width:100px;height:50px;background-color:white;border-radius:10px',
    ],
    [
      'are pills at most',
      '<v:roundrect stroked="f" arcsize="1" style="width:100px;height:50px"/>',
      'width:100px;height:50px;background-color:white;border-radius:25px',
    ],
    [
      'read fractions of 65536',
      '<v:roundrect stroked="f" arcsize="6554f" style="width:100px;height:50px"/>',
      'width:100px;height:50px;background-color:white;border-radius:5px',
    ],
    ['are round', '<v:oval stroked="f" style="width:1px"/>', 'width:1px;background-color:white;border-radius:50%'],
    [
      'stretch a frame',
      '<v:rect stroked="f" style="width:1px"><v:fill type="frame" src="a.png"/></v:rect>',
      'width:1px;background-color:white;background-image:url("a.png");background-repeat:no-repeat;' +
        'background-size:100% 100%;background-position:50% 50%',
    ],
    [
      'cover with a frame',
      '<v:rect stroked="f" style="width:1px"><v:fill type="frame" aspect="atleast" src="a.png" color="red"/></v:rect>',
      'width:1px;background-color:red;background-image:url("a.png");background-repeat:no-repeat;' +
        'background-size:cover;background-position:50% 50%',
    ],
    [
      'place a tile',
      '<v:rect stroked="f" style="width:1px"><v:fill type="tile" size="1,1" aspect="atmost" position="0.5, 0" ' +
        'src="a.png" color="red"/></v:rect>',
      'width:1px;background-color:red;background-image:url("a.png");background-repeat:repeat;' +
        'background-size:contain;background-position:50% 0%',
    ],
    [
      'size a frame',
      '<v:rect stroked="f" style="width:1px"><v:fill type="frame" size="300px,150px" position="0,-0.5" ' +
        'src="a.png" color="red"/></v:rect>',
      'width:1px;background-color:red;background-image:url("a.png");background-repeat:no-repeat;' +
        'background-size:300px 150px;background-position:50% 0%',
    ],
    [
      'shade from bottom to top',
      '<v:rect stroked="f" style="width:1px"><v:fill type="gradient" color="red" color2="blue"/></v:rect>',
      'width:1px;background:linear-gradient(0deg,red,blue)',
    ],
    [
      'turn a shade against the clock',
      '<v:rect stroked="f" style="width:1px"><v:fill type="gradient" color="red" color2="blue" ' +
        'angle="90" focus="100%"/></v:rect>',
      'width:1px;background:linear-gradient(-90deg,blue,red)',
    ],
    [
      'shade through several colors',
      '<v:rect stroked="f" style="width:1px"><v:fill type="gradient" colors="0 red;.5 lime;1 blue"/></v:rect>',
      'width:1px;background:linear-gradient(0deg,red 0%,lime 50%,blue 100%)',
    ],
    [
      'shade from the middle',
      '<v:rect stroked="f" style="width:1px"><v:fill type="gradientRadial" color="red" color2="blue"/></v:rect>',
      'width:1px;background:radial-gradient(blue,red)',
    ],
    [
      'throw a shadow',
      '<v:rect stroked="f" filled="f" style="width:1px"><v:shadow on="t" color="gray" offset="3px,4px"/></v:rect>',
      'width:1px;box-shadow:3px 4px 0 gray',
    ],
    ['turn', '<v:rect stroked="f" filled="f" style="width:1px;rotation:45"/>', 'width:1px;transform:rotate(45deg)'],
  ];
  for (const [promise, source, style] of looks) it(promise, () => assert.equal(styleOf(source), style));

  it('cannot break out of a style', () => {
    assert.equal(
      styleOf('<v:rect stroked="f" style="width:1px"><v:fill type="tile" color="red" src="a&quot;);}\\x"/></v:rect>'),
      'width:1px;background-color:red;background-image:url("a\\22 );}\\5c x");background-repeat:repeat',
    );
  });
  it('follow a path', () => {
    const { body } = draw(
      '<v:shape style="width:6px;height:6px" coordsize="200,100" fillcolor="green" stroked="f" path="m ' +
        '100,0 l 200,200 0,200 x e"/>',
    );
    assert.match(
      body,
      /<svg viewBox="0 0 200 100"[^>]*><path d="M100 0L200 200 0 200Z" fill="green"><\/path><\/svg><\/vml-shape>$/,
    );
  });
  it('draw a line', () => {
    const { body } = draw('<v:line from="10,30" to="130px,20" strokecolor="red" strokeweight="2px"/>');
    assert.match(
      body,
      /width:120px;height:10px"><svg [^>]*><line x1="0" y1="10" x2="120" y2="0" fill="none" stroke="red" stroke-width="2"/,
    );
  });
  it("show a picture in Word's own markup", () => {
    const { body } = draw(
      '<!--[if gte vml 1]><v:shape style="width:75pt;height:30pt"><v:imagedata src="a.png" o:title=""/></v:shape>' +
        '<![endif]--><![if !vml]><img src="a.png"><![endif]>',
    );
    assert.match(body, /^<vml-shape style="[^"]*width:100px;height:40px[^"]*"><img src="a\.png"[^>]*><\/vml-shape>$/);
  });
  it('are not drawn when hidden', () => {
    assert.equal(draw('<v:rect style="visibility:hidden;width:5px">a</v:rect>').body, '<span></span>');
  });
});
