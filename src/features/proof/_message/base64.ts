// Base64 in a field of a request.
import { decodeBase64, type Decoded } from '../../../engines/mime/index.ts';

/** Shorter text is read strictly; the time for that is not noticed. */
const STRICT_LENGTH_MAX = 50_000;
const NOT_BASE64 = /[^A-Za-z0-9+/=_\s-]/;
/** Padding, and white space, at the end. */
const ENDS = /^[=\s]*$/;

/**
 * The bytes, or why there are none. White space is skipped, padding may be missing. Of long text a cut end is not seen:
 * it shows in what comes out.
 */
export function readBase64(text: string): Decoded {
  const padding = text.indexOf('=');
  const isRight = !NOT_BASE64.test(text) && (padding < 0 || ENDS.test(text.slice(padding)));
  if (text.length <= STRICT_LENGTH_MAX || !isRight) return decodeBase64(text);
  return { bytes: Buffer.from(text, 'base64') };
}
