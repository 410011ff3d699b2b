// Whether an alternative text says anything about its image.

const EXTENSION = 'png|apng|jpe?g|jpe|jfif|pjpe?g|pjp|gif|webp|svg|bmp|dib|avifs?|hei[cf]|hif|tiff?|ico|cur';
const FILE_NAME = new RegExp(`\\.(?:${EXTENSION})(?:[?#].*)?$`, 'i');
const ADDRESS = /^(?:https?:)?\/\/\S+$/i;
const CAMERA_NAME = new RegExp(
  `^(?:${[
    'img',
    'dsc',
    'dscn',
    'dcim',
    'image',
    'photo',
    'picture',
    'screenshot',
    'untitled',
    'unnamed',
    'pic',
    'banner',
    'hero',
    'slice',
    'layer',
  ].join('|')})[-_ ]?\\d+(?:[-_ x]\\d+)*$`,
  'i',
);
/** In the languages of `data`: what an image is rather than what it says. */
const PLACEHOLDER = new RegExp(
  `^(?:${[
    'image',
    'images',
    'img',
    'picture',
    'pic',
    'photo',
    'graphic',
    'banner',
    'icon',
    'spacer',
    'pixel',
    'alt',
    'alt[ _-]?text',
    'placeholder',
    'logo here',
    'your logo',
    'image description',
    'image alt(?: text)?',
    'description',
    'untitled',
    'unnamed',
    'todo',
    'lorem ipsum.*',
    'image not found',
    'click to view image',
    'bild',
    'grafik',
    'foto',
    'imagen',
    'afbeelding',
    'immagine',
    'imagem',
    'bilde',
    'obraz',
  ].join('|')})\\.?$`,
  'i',
);

export type AltFault = 'file-name' | 'address' | 'placeholder';

/**
 * What is wrong with an alternative text that isn't empty; undefined when it says something. `files` are the addresses
 * of every file that the image can show.
 */
export function altFault(alt: string, ...files: string[]): AltFault | undefined {
  const text = unescaped(alt.trim());
  if (ADDRESS.test(text)) return 'address';
  if (FILE_NAME.test(text) || CAMERA_NAME.test(text)) return 'file-name';
  const said = text.toLowerCase();
  if (files.some((file) => isNameOf(said, file))) return 'file-name';
  return PLACEHOLDER.test(text) ? 'placeholder' : undefined;
}

/**
 * With its extension it is the file's name; without, only where nobody writes words so: `acme` may well be what
 * `acme.png` shows.
 */
function isNameOf(said: string, file: string): boolean {
  const whole = fileName(file).toLowerCase();
  if (whole === '') return false;
  return (whole.includes('.') && said === whole) || (said === withoutExtension(whole) && /[-_\d]/.test(said));
}

/** The file's name without extension: `hero-sale_2` of `https://a.test/img/hero-sale_2.jpg?w=9`. */
export function fileStem(src: string): string {
  return withoutExtension(fileName(src));
}

function fileName(src: string): string {
  if (/^data:/i.test(src.trim())) return '';
  const path = src
    .trim()
    .replace(/[?#].*$/s, '')
    .replace(/^(?:[a-z]+:)?\/\/[^/]*/i, '');
  return unescaped(path.slice(path.lastIndexOf('/') + 1));
}

function withoutExtension(name: string): string {
  return name.replace(/\.[a-z\d]{2,5}$/i, '');
}

function unescaped(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // no valid escapes: it is meant as written
  }
}
