// What an image is, from its header: nothing is decoded, so a decompression bomb costs as little as a dot.
import { readBmp, readIco } from './bitmap-headers.ts';
import { bufferOf, textAt, uintLe } from './byte-view.ts';
import { readGif } from './gif-blocks.ts';
import { readHeif } from './heif-boxes.ts';
import { readJpeg } from './jpeg-segments.ts';
import { readPng } from './png-chunks.ts';
import { isSvg, readSvg } from './svg-size.ts';
import { readTiff } from './tiff-directory.ts';
import { PLAIN_HEADER, type ImageFacts, type ImageFormat, type ImageHeader } from './types.ts';
import { readWebp } from './webp-chunks.ts';

interface Format {
  mediaType: string;
  /** Extensions that servers and people use, lower case. */
  extensions: readonly string[];
  /** Other media types that mean the same. */
  aliases: readonly string[];
  isOne(bytes: Buffer): boolean;
  read(bytes: Buffer): ImageHeader;
}

const startsWith = (signature: string) => (bytes: Buffer) => textAt(bytes, 0, signature.length) === signature;

/** The kinds of a `ftyp` box, its major brand and then the compatible ones. */
function brandsOf(bytes: Buffer): string[] {
  if (textAt(bytes, 4, 4) !== 'ftyp') return [];
  const size = Math.min(bytes.readUInt32BE(0), 256, bytes.length);
  return [
    textAt(bytes, 8, 4),
    ...Array.from({ length: Math.max(0, (size - 16) >> 2) }, (_, index) => textAt(bytes, 16 + index * 4, 4)),
  ];
}

/** An icon or a cursor with at least one picture; its signature is so short that the count is looked at as well. */
function isIcon(bytes: Buffer): boolean {
  const kind = uintLe(bytes, 2, 2);
  return bytes.length >= 22 && uintLe(bytes, 0, 2) === 0 && (kind === 1 || kind === 2) && uintLe(bytes, 4, 2) > 0;
}

const FORMATS: Readonly<Record<ImageFormat, Format>> = {
  png: {
    mediaType: 'image/png',
    extensions: ['png', 'apng'],
    aliases: ['image/x-png', 'image/apng', 'image/vnd.mozilla.apng'],
    isOne: startsWith('\x89PNG\r\n\x1a\n'),
    read: readPng,
  },
  jpeg: {
    mediaType: 'image/jpeg',
    extensions: ['jpg', 'jpeg', 'jpe', 'jfif', 'pjpeg', 'pjp'],
    aliases: ['image/jpg', 'image/pjpeg'],
    isOne: startsWith('\xff\xd8\xff'),
    read: readJpeg,
  },
  gif: {
    mediaType: 'image/gif',
    extensions: ['gif'],
    aliases: [],
    isOne: (bytes) => /^GIF8[79]a$/.test(textAt(bytes, 0, 6)),
    read: readGif,
  },
  webp: {
    mediaType: 'image/webp',
    extensions: ['webp'],
    aliases: [],
    isOne: (bytes) => /^RIFF[^]{4}WEBP$/.test(textAt(bytes, 0, 12)),
    read: readWebp,
  },
  avif: {
    mediaType: 'image/avif',
    extensions: ['avif', 'avifs'],
    aliases: ['image/avif-sequence'],
    isOne: (bytes) => brandsOf(bytes).some((brand) => brand === 'avif' || brand === 'avis'),
    read: readHeif,
  },
  heif: {
    mediaType: 'image/heif',
    extensions: ['heif', 'heic', 'hif'],
    aliases: ['image/heic', 'image/heif-sequence', 'image/heic-sequence'],
    isOne: (bytes) => brandsOf(bytes).some((brand) => /^(?:hei[cxms]|hev[cxms]|mif1|msf1)$/.test(brand)),
    read: readHeif,
  },
  bmp: {
    mediaType: 'image/bmp',
    extensions: ['bmp', 'dib'],
    aliases: ['image/x-bmp', 'image/x-ms-bmp'],
    isOne: (bytes) => startsWith('BM')(bytes) && bytes.length > 26 && uintLe(bytes, 6, 4) === 0,
    read: readBmp,
  },
  ico: {
    mediaType: 'image/x-icon',
    extensions: ['ico', 'cur'],
    aliases: ['image/vnd.microsoft.icon', 'image/ico'],
    isOne: isIcon,
    read: readIco,
  },
  tiff: {
    mediaType: 'image/tiff',
    extensions: ['tif', 'tiff'],
    aliases: ['image/tiff-fx'],
    isOne: (bytes) => /^(?:II\*\0|MM\0\*)$/.test(textAt(bytes, 0, 4)),
    read: readTiff,
  },
  svg: { mediaType: 'image/svg+xml', extensions: ['svg'], aliases: ['image/svg'], isOne: isSvg, read: readSvg },
};

const PIXELS_MAX = 50_000_000;
const FRAMES_MAX = 2_000;
const FRAME_PIXELS_MAX = 500_000_000;

/** The format by its first bytes, whatever a name or a server says. */
export function sniffFormat(bytes: Uint8Array): ImageFormat | undefined {
  const buffer = bufferOf(bytes);
  return (Object.keys(FORMATS) as ImageFormat[]).find((format) => FORMATS[format].isOne(buffer));
}

/** The format that a media type (parameters allowed) names. */
export function formatOfMediaType(mediaType: string): ImageFormat | undefined {
  const name = mediaType.split(';')[0]!.trim().toLowerCase();
  return (Object.keys(FORMATS) as ImageFormat[]).find(
    (format) => FORMATS[format].mediaType === name || FORMATS[format].aliases.includes(name),
  );
}

/** The format that a file name or the path of a URL ends in; undefined without an extension of an image. */
export function formatOfName(name: string): ImageFormat | undefined {
  const extension = /\.([a-z\d]{2,5})$/i.exec(name.replace(/[?#].*$/s, ''))?.[1]?.toLowerCase() ?? '';
  return (Object.keys(FORMATS) as ImageFormat[]).find((format) => FORMATS[format].extensions.includes(extension));
}

/**
 * Format, size, frames, duration, colors, transparency of an image. Bad bytes give a status, never an error; what was
 * read before the fault is kept. A few milliseconds for the largest file.
 */
export function readImage(bytes: Uint8Array): ImageFacts {
  const buffer = bufferOf(bytes);
  const format = sniffFormat(buffer);
  if (format === undefined)
    return factsOf(PLAIN_HEADER, {
      bytes: buffer.length,
      format: null,
      mediaType: null,
      status: buffer.length === 0 ? 'empty' : 'not_an_image',
    });
  const header = FORMATS[format].read(buffer);
  return factsOf(header, { bytes: buffer.length, format, mediaType: FORMATS[format].mediaType, status: header.status });
}

function factsOf(header: ImageHeader, own: Pick<ImageFacts, 'bytes' | 'format' | 'mediaType' | 'status'>): ImageFacts {
  const pixels = header.width * header.height;
  return {
    ...header,
    ...own,
    isAnimated: header.frames > 1,
    hasAlpha: header.transparency !== 'none',
    isOverLimit: pixels > PIXELS_MAX || header.frames > FRAMES_MAX || pixels * header.frames > FRAME_PIXELS_MAX,
  };
}
