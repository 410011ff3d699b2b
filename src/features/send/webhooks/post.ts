// One attempt: a signed POST.
import { createHmac } from 'node:crypto';
import type { Outside } from '../../../platform/feature/index.ts';
import { randomHex } from '../../../platform/ids/index.ts';
import { attempt, type Attempt } from '../../../platform/posting/index.ts';
import { unixSeconds } from '../../../platform/times/index.ts';

const TOKEN_BYTES = 25;

/** `signature` of the body: HMAC-SHA256 of timestamp and token, as hexadecimal digits. */
function sign(key: string, now: Date) {
  const timestamp = String(unixSeconds(now));
  const token = randomHex(TOKEN_BYTES);
  return {
    timestamp,
    token,
    signature: createHmac('sha256', key)
      .update(timestamp + token)
      .digest('hex'),
  };
}

/** Posts an event, with a fresh token and signature. */
export async function postEvent(
  doors: Pick<Outside, 'fetch' | 'clock'>,
  { url, key, event, signal }: { url: string; key: string; event: object; signal?: AbortSignal },
): Promise<Attempt> {
  const json = JSON.stringify({ signature: sign(key, doors.clock.now()), 'event-data': event });
  return attempt(doors, { url, json, purpose: 'webhooks', ...(signal && { signal }) });
}
