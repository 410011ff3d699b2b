import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { contrastOf, formatColor, fromLab, parseColor, parseLegacyColor, replaceColors, toLab } from './color.ts';

const read = (text: string) => {
  const color = parseColor(text);
  return color && formatColor(color);
};

describe('reading colors', () => {
  it('reads every spelling of CSS', () => {
    const same: [string, string][] = [
      ['red', '#ff0000'],
      ['ReBeccaPurple', '#663399'],
      ['#abc', '#aabbcc'],
      ['#A1B2C3', '#a1b2c3'],
      ['#abcd', 'rgba(170,187,204,0.867)'],
      ['#ff000080', 'rgba(255,0,0,0.502)'],
      ['rgb(1, 2, 3)', '#010203'],
      ['rgb(1 2 3 / 50%)', 'rgba(1,2,3,0.5)'],
      ['rgba(100%, 0%, 50%, .25)', 'rgba(255,0,128,0.25)'],
      ['hsl(120, 100%, 25%)', '#008000'],
      ['hsla(0.5turn 100% 50% / 1)', '#00ffff'],
      ['hsl(-120deg 100% 50%)', '#0000ff'],
      ['transparent', 'rgba(0,0,0,0)'],
      [' #FFF ', '#ffffff'],
    ];
    for (const [text, expected] of same) assert.equal(read(text), expected, text);
  });

  it('refuses what is no color', () => {
    for (const text of [
      '',
      '#ab',
      '#12345',
      '#ggg',
      'currentcolor',
      'inherit',
      'rgb(1,2)',
      'rgb(a,b,c)',
      'constructor',
      'url(red)',
    ])
      assert.equal(parseColor(text), undefined, text);
  });

  it('reads color attributes as browsers do', () => {
    const same: [string, string | undefined][] = [
      ['#ffffff', '#ffffff'],
      ['ffffff', '#ffffff'],
      ['red', '#ff0000'],
      ['#fff', '#ffffff'],
      ['fff', '#0f0f0f'],
      ['chucknorris', '#c00000'],
      ['#1234', '#123400'],
      ['', undefined],
      ['transparent', undefined],
    ];
    for (const [text, expected] of same) {
      const color = parseLegacyColor(text);
      assert.equal(color && formatColor(color), expected, text);
    }
  });
});

describe('lightness', () => {
  it('agrees with the published L* of #333333', () => {
    assert.ok(Math.abs(toLab(parseColor('#333333')!).l - 21.247) < 0.01);
  });

  it('turns any color into L*a*b* and back', () => {
    for (const hex of ['#000000', '#ffffff', '#ff0000', '#123456', '#00ff7f', '#c0c0c0'])
      assert.equal(formatColor(fromLab(toLab(parseColor(hex)!))), hex);
  });

  it('measures contrast as WCAG does', () => {
    const of = (a: string, b: string) => contrastOf(parseColor(a)!, parseColor(b)!);
    assert.equal(of('#000', '#fff').toFixed(2), '21.00');
    assert.equal(of('#777', '#fff').toFixed(2), '4.48');
    assert.equal(of('#fff', '#777').toFixed(2), '4.48');
  });
});

describe('replacing colors in a value', () => {
  const blue = () => parseColor('blue')!;
  const cases: [string, string][] = [
    ['red', '#0000ff'],
    ['1px solid RED', '1px solid #0000ff'],
    ['#fff url(red.png) no-repeat', '#0000ff url(red.png) no-repeat'],
    ['url("a)red") white', 'url("a)red") #0000ff'],
    ['linear-gradient(to right, rgb(1,2,3) 10%, tan)', 'linear-gradient(to right, #0000ff 10%, #0000ff)'],
    ['"red" red', '"red" #0000ff'],
    ['var(--red, red)', 'var(--red, red)'],
    ['inherit', 'inherit'],
    ['url(red', 'url(red'],
    ['2px 4px 6px rgba(0,0,0,.5)', '2px 4px 6px #0000ff'],
  ];
  for (const [value, expected] of cases)
    it(`turns ${value} into ${expected}`, () => assert.equal(replaceColors(value, blue), expected));

  it('leaves gradients alone when asked', () => {
    assert.equal(
      replaceColors('red linear-gradient(red, hsl(0,0%,0%)) red', blue, { keepGradients: true }),
      '#0000ff linear-gradient(red, hsl(0,0%,0%)) #0000ff',
    );
  });

  it('leaves the text as it is where nothing is to change', () => {
    assert.equal(
      replaceColors('Red #FFF', () => undefined),
      'Red #FFF',
    );
  });
});
