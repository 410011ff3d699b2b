import type { Outside } from '../../../platform/feature/index.ts';
import { findContent, readContent } from '../messages/index.ts';

/** The bytes of a message that came in; undefined: they are no longer kept. */
export async function readRaw(
  doors: Pick<Outside, 'db' | 'blobs' | 'secrets'>,
  messageId: string,
): Promise<Uint8Array | undefined> {
  const kept = await findContent(doors.db, messageId);
  if (!kept || (kept.content === null && kept.contentDigest === null)) return undefined;
  const content = await readContent(doors, kept);
  return content.kind === 'mime' ? content.raw : undefined;
}
