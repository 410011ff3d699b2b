// Image formats as a URL shows them: by file extension or by the type of a data URL.

import type { FeatureRule, RuleTable } from './rule.ts';

const extensions: Record<string, string> = {
  avif: 'avif',
  bmp: 'bmp',
  dib: 'bmp',
  gif: 'gif',
  hdr: 'hdr',
  heif: 'heif',
  heic: 'heif',
  ico: 'ico',
  jpg: 'jpg',
  jpeg: 'jpg',
  jfif: 'jpg',
  mp4: 'mp4',
  m4v: 'mp4',
  png: 'png',
  svg: 'svg',
  svgz: 'svg',
  tif: 'tiff',
  tiff: 'tiff',
  webp: 'webp',
};

const mediaTypes: Record<string, string> = {
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/vnd.radiance': 'hdr',
  'image/heif': 'heif',
  'image/heic': 'heif',
  'image/x-icon': 'ico',
  'image/vnd.microsoft.icon': 'ico',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'video/mp4': 'mp4',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/tiff': 'tiff',
  'image/webp': 'webp',
};

/**
 * The formats that an image address shows, none when it does not: `photo.webp?w=2` is webp, a base64 data URL is
 * `base64` and the format of its type.
 */
export function imageFormatsOf(url: string): string[] {
  const start = url.slice(0, 2000).trim().toLowerCase();
  if (start.startsWith('data:')) {
    const [type = '', ...parameters] = start.slice(5).split(',', 1)[0]!.split(';');
    const format = mediaTypes[type.trim()];
    const encoding = parameters.some((parameter) => parameter.trim() === 'base64') ? ['base64'] : [];
    return format ? [...encoding, format] : encoding;
  }
  const path = start.split(/[?#]/, 1)[0]!;
  const extension = /\.([a-z0-9]{2,5})$/.exec(path)?.[1];
  const format = extension && extensions[extension];
  return format ? [format] : [];
}

/** The format of a `type` attribute, such as that of `<source>`. */
export function imageFormatOfType(type: string): string | undefined {
  return mediaTypes[type.trim().toLowerCase()];
}

const breaks = (format: string): FeatureRule[] => [{ on: 'image', format, effect: 'break' }];

export const imageRules: RuleTable = {
  // An animated PNG looks like any PNG until its bytes are read, and without support its first frame shows: see notes.
  'image-apng': [],
  'image-avif': breaks('avif'),
  'image-base64': breaks('base64'),
  'image-bmp': breaks('bmp'),
  'image-gif': breaks('gif'),
  'image-hdr': breaks('hdr'),
  'image-heif': breaks('heif'),
  'image-ico': breaks('ico'),
  'image-jpg': breaks('jpg'),
  'image-mp4': breaks('mp4'),
  'image-png': breaks('png'),
  'image-svg': breaks('svg'),
  'image-tiff': breaks('tiff'),
  'image-webp': breaks('webp'),
};
