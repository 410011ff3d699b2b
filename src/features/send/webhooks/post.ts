// One attempt: a signed POST.
import type { Outside } from '../../../platform/feature/index.ts';
import { attempt, type Attempt } from '../../../platform/posting/index.ts';
import { signatureOf } from '../signing-keys/index.ts';

/** Posts an event, with a fresh token and signature. */
export async function postEvent(
  doors: Pick<Outside, 'fetch' | 'clock'>,
  { url, key, event, signal }: { url: string; key: string; event: object; signal?: AbortSignal },
): Promise<Attempt> {
  const json = JSON.stringify({ signature: signatureOf(key, doors.clock.now()), 'event-data': event });
  return attempt(doors, { url, json, purpose: 'webhooks', ...(signal && { signal }) });
}
