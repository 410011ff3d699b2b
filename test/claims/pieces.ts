// What the messages of claims are made of. Names of colors are those of `rows`.

/** Colors that no client has of its own. */
export const RED = '#e00000';
export const BLUE = '#0000e0';
export const GREEN = '#00a000';
/** The color of pictures: clients leave pictures alone, so they are found again in dark mode. */
export const PINK = '#ff00ff';
export const CYAN = '#00e0e0';

/** A picture of one color. */
export function img(color: string, width: number, height: number, attributes = ''): string {
  const src = `https://pictures.example/${color.slice(1)}-${width}x${height}.png`;
  return `<img src="${src}" width="${width}" height="${height}" alt="" ${attributes}>`;
}

/** The address of a picture. */
export const pictureUrl = (color: string, width: number, height: number, kind = 'png'): string =>
  `https://pictures.example/${color.slice(1)}-${width}x${height}.${kind}`;

/** A block with a ground of one color and a line of text. */
export const block = (color: string, style = '', text = 'Text'): string =>
  `<div style="background-color:${color};color:#ffffff;${style}">${text}</div>`;

/** Text on a ground of one color, as wide as its letters. */
export const word = (color: string, style = '', text = 'Hamburgefonstiv'): string =>
  `<span style="background-color:${color};color:#ffffff;${style}">${text}</span>`;

/** A cell with a ground and a text of one color each, in which a picture is found again. */
export const cell = (ground: string, ink: string, text = 'MMMM'): string =>
  `<table cellpadding="20" cellspacing="0" width="300"><tr><td bgcolor="${ground}" ` +
  `style="background-color:${ground};color:${ink};font:bold 40px Arial,sans-serif">` +
  `${img(PINK, 20, 40, 'style="vertical-align:top"')}&nbsp;${text}</td></tr></table>`;

/** A style element. */
export const style = (css: string): string => `<style>${css}</style>`;
