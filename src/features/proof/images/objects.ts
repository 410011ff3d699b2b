// Files of an image test: the originals, first frames and optimized ones. Who knows the address may read; the address
// holds a random folder, so nobody guesses it.
import { createHash } from 'node:crypto';
import type { Outside } from '../../../platform/feature/index.ts';
import { randomHex } from '../../../platform/ids/index.ts';
import { objectsOf } from '../_inspections/index.ts';

/** By the extension that a stored file carries. */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  gif: 'image/gif',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  heif: 'image/heif',
  svg: 'image/svg+xml',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  tiff: 'image/tiff',
};

/** The folder of the files of one version of a test. */
export interface Folder {
  id: string;
  /** 32 random hex digits. */
  name: string;
}

export function newFolder(id: string): Folder {
  return { id, name: randomHex(16) };
}

export function folderKey({ id, name }: Folder): string {
  return `${objectsOf(id)}/${name}`;
}

export function fileKey(folder: Folder, file: string): string {
  return `${folderKey(folder)}/${file}`;
}

/** The name of a file by what it holds: the same bytes are stored once. */
function fileName(body: Uint8Array, format: string): string {
  return `${createHash('sha256').update(body).digest('hex').slice(0, 32)}.${format === 'jpeg' ? 'jpg' : format}`;
}

/** Stores bytes of a known image format, and returns the name they have from now on. */
export async function keepFile(
  { blobs }: Pick<Outside, 'blobs'>,
  folder: Folder,
  { body, format }: { body: Buffer; format: string },
): Promise<string> {
  const name = fileName(body, format);
  await blobs.put(
    fileKey(folder, name),
    body,
    MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
  );
  return name;
}

/** The public address of a stored file. */
export function fileUrl(baseUrl: string, folder: Folder, file: string): string {
  return `${baseUrl}/files/images/${folder.id}/${folder.name}/${file}`;
}
