// Whether an alternative text says anything, and which pictures need none.

import { attr, sizeOf } from './elements.ts';
import type { Mail, MailElement } from './read-mail.ts';

const FILE_NAME = /\.(?:png|jpe?g|gif|webp|svg|bmp|avif|heic|tiff?)(?:[?#].*)?$/i;
const ADDRESS = /^(?:https?:)?\/\/\S+$/i;
const CAMERA_NAME = /^(?:img|dsc|dscn|dcim|image|photo|picture|screenshot|untitled|unnamed|pic|banner|hero|slice|layer)[-_ ]?\d+(?:[-_ x]\d+)*$/i;
/** In the languages of `data`: what an image is rather than what it says. */
const PLACEHOLDER = new RegExp(`^(?:${[
  'image', 'images', 'img', 'picture', 'pic', 'photo', 'graphic', 'banner', 'icon', 'spacer', 'pixel', 'alt', 'alt[ _-]?text', 'placeholder', 'logo here', 'your logo',
  'image description', 'image alt(?: text)?', 'description', 'untitled', 'unnamed', 'todo', 'lorem ipsum.*', 'image not found', 'click to view image',
  'bild', 'grafik', 'foto', 'imagen', 'afbeelding', 'immagine', 'imagem', 'bilde', 'obraz',
].join('|')})\\.?$`, 'i');

export type AltFault = 'file-name' | 'address' | 'placeholder';

/** What is wrong with an alternative text that isn't empty; undefined when it says something. */
export function altFault(alt: string, src: string): AltFault | undefined {
  const text = alt.trim();
  if (ADDRESS.test(text)) return 'address';
  if (FILE_NAME.test(text) || CAMERA_NAME.test(text)) return 'file-name';
  const stem = fileStem(src).toLowerCase();
  if (stem !== '' && text.toLowerCase() === stem && /[-_\d]/.test(text)) return 'file-name';
  return PLACEHOLDER.test(text) ? 'placeholder' : undefined;
}

/** The file's name without extension: `hero-sale_2` of `https://a.test/img/hero-sale_2.jpg?w=9`. */
export function fileStem(src: string): string {
  if (/^data:/i.test(src.trim())) return '';
  const path = src.trim().replace(/[?#].*$/s, '').replace(/^(?:[a-z]+:)?\/\/[^/]*/i, '');
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[a-z\d]{2,5}$/i, '');
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // no valid escapes: it is meant as written
  }
}

const SPACER_NAME = /^(?:spacer|blank|clear|transparent|shim|trans|space|dot|pixel|1x1|empty)(?:[-_.\d]|$)/i;
const DOT_MAX = 2;

/** Holds a place open or reports the opening: nothing that a reader should hear of. */
export function isSpacer(mail: Mail, image: MailElement): boolean {
  const { width = Infinity, height = Infinity } = sizeOf(mail, image);
  if (width <= DOT_MAX && height <= DOT_MAX) return true;
  // A line of one pixel is a rule or a gap.
  return Math.min(width, height) <= DOT_MAX || SPACER_NAME.test(fileStem(attr(image, 'src') ?? ''));
}
