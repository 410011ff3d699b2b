import { createHash } from 'node:crypto';
import { objectsOf } from '../_inspections/index.ts';
import type { PictureName, PictureSize } from './contract.ts';

/** A picture of one run of a gate. */
export function pictureKey(
  run: { id: string; version: number },
  clientId: string,
  { which, size = 'full' }: { which: PictureName; size?: PictureSize },
): string {
  return `${objectsOf(run.id)}/pictures-${run.version}/${clientId}.${which}${size === 'full' ? '.png' : '.thumbnail.jpg'}`;
}

/** An approved picture. It is never written over: what is replaced is deleted once nothing refers to it. */
export function baselinePrefix(owner: { accountId: string; name: string }, clientId: string, png: Buffer): string {
  const name = createHash('sha256').update(owner.name).digest('hex').slice(0, 20);
  return (
    `gate-baselines/${owner.accountId}/${name}/${clientId}/` +
    `${createHash('sha256').update(png).digest('hex').slice(0, 40)}`
  );
}

export function baselineKey(prefix: string, size: PictureSize = 'full'): string {
  return `${prefix}/${size === 'full' ? 'picture.png' : 'thumbnail.jpg'}`;
}
