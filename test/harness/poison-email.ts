// Small emails that cost a browser minutes or gigabytes where nothing stops it. All are documents that a sender may
// write.

/** Shapes that are made of ten others, which are made of ten others: a trillion in three kilobytes. */
function nestedShapes(): string {
  const levels = Array.from(
    { length: 12 },
    (_, level) => `<g id="s${level + 1}">${`<use href="#s${level}"/>`.repeat(10)}</g>`,
  );
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><g id="s0"><rect width="1" height="1"/></g>' +
    `${levels.join('')}<use href="#s12"/></svg>`;
  return `<img src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}">`;
}

const PARTS = {
  shapes: nestedShapes,
  blur: () =>
    '<div style="filter:blur(500px);width:700px;height:2000px;background:red;margin-top:-1900px">x</div>'.repeat(200),
  'blur list': () => `<div style="height:20000px;background:red;filter:${'blur(500px) '.repeat(200)}">x`,
  layers: () =>
    '<div style="height:20000px">' +
    `${(
      '<div style="position:absolute;inset:0;height:20000px;background:rgba(9,200,3,.1);will-change:transform;' +
      'border:1px solid">x</div>'
    ).repeat(1_000)}`,
  backdrops: () =>
    '<div style="height:5000px;background:linear-gradient(red,blue)">' +
    `${'<div style="position:absolute;inset:0;height:5000px;backdrop-filter:blur(200px)"></div>'.repeat(300)}`,
  gradients: () =>
    '<div style="height:20000px;background:' +
    `${Array.from({ length: 5_000 }, () => 'radial-gradient(circle,rgba(255,0,0,.01),rgba(0,255,0,.01))').join(',')}` +
    '">x',
  shadows: () =>
    '<div style="margin:50px;height:20000px;box-shadow:' +
    `${Array.from({ length: 5_000 }, () => '0 0 500px 100px rgba(255,0,0,.5)').join(',')}">x`,
  columns: () => `<div style="column-count:100000;column-width:1px;height:10px">${'word '.repeat(50_000)}`,
  masks: () =>
    '<svg width="800" height="2000">' +
    `${Array.from(
      { length: 12 },
      (_, level) =>
        `<mask id="m${level + 1}">` +
        `${`<rect width="800" height="2000" fill="white" ${level ? `mask="url(#m${level})"` : ''}/>`.repeat(10)}</ma` +
        'sk' +
        '>',
    ).join('')}` +
    '<rect width="800" height="2000" mask="url(#m12)"/></svg>',
  noise: () =>
    '<svg width="800" height="20000"><filter id="f" x="0" y="0" width="1" height="1">' +
    `${'<feTurbulence baseFrequency=".5" numOctaves="500"/>'.repeat(100)}</filter><rect width="800" height="20000" ` +
    'filter="url(#f)"/></svg>',
  'endless line': () => `<div style="word-break:break-all;hyphens:auto">${'x'.repeat(3_000_000)}`,
  'huge tables': () => `<table>${`<tr>${'<td>x'.repeat(300)}`.repeat(300)}</table>`.repeat(2),
  tall: () => '<div style="height:200000px;background:linear-gradient(red,blue)">x',
  'nested ruby': () => '<ruby>x<rt>'.repeat(8_000),
};

export type Poison = keyof typeof PARTS;

/** The body of an email that is too much for a browser. */
export function poisonEmail(poison: Poison): string {
  return PARTS[poison]();
}
