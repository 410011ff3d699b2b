import { createHmac } from 'node:crypto';
import { randomHex } from '../../../platform/ids/index.ts';
import { unixSeconds } from '../../../platform/times/index.ts';

const TOKEN_BYTES = 25;

/** What goes with a post: HMAC-SHA256 of timestamp and token, as hexadecimal digits. The token is fresh. */
export function signatureOf(key: string, now: Date) {
  const timestamp = String(unixSeconds(now));
  const token = randomHex(TOKEN_BYTES);
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex');
  return { timestamp, token, signature };
}
