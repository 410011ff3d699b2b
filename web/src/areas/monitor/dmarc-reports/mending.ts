// What can be done about a source, in sentences that say no more than its figures.
import { count } from '../../../ground/words.ts';
import type { DmarcSource } from './dmarc-api.ts';

/** Nothing to do is a sentence, too. */
export function mendingOf({ pass, dkim_aligned, forwarded, unknown, evidence }: DmarcSource): string[] {
  const bySpfAlone = Math.max(0, pass - dkim_aligned);
  const sentences = [
    ...evidence.map(({ messages, means, fix }) => `${count(messages, 'message')}: ${means}. ${fix}`),
    unknown > 0 &&
      `${count(unknown, 'message')} that nothing ties to you. If an address below is yours, let its program sign with ` +
        'your domain; if none is, they are forgeries, and p=reject asks receivers to refuse them.',
    forwarded > 0 &&
      `${count(forwarded, 'message')} that somebody passed on, say receivers. SPF cannot survive that; a signature of ` +
        'DKIM can, as far as nothing is changed on the way.',
    bySpfAlone > 0 &&
      `${count(bySpfAlone, 'message passes', 'messages pass')} by SPF alone and would fail when somebody passes them ` +
        'on. Let the source sign with your domain, too.',
  ].filter((sentence) => sentence !== false);
  return sentences.length > 0 ? sentences : ['Nothing: everything bears a signature of your domain that verifies.'];
}
