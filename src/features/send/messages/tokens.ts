// What a delivery is called in its return path and in its links: a token for each purpose, with a secret of its own.
import { createSecretKey, type KeyObject } from 'node:crypto';
import { bounceAddress, sealDelivery } from '../../../engines/delivery-tokens/index.ts';
import type { Filling } from '../../../engines/mail-merge/index.ts';
import { sealLink } from '../../../engines/tracking/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import type { Tracked } from '../tracking/index.ts';

type TokenPurpose = 'bounce' | 'unsubscribe' | 'click' | 'open';

const known = new WeakMap<Outside['secrets'], Map<TokenPurpose, KeyObject>>();

/** What tokens of this purpose are sealed and opened with. The same for as long as the service keeps its secret key. */
export function deliverySecret({ secrets }: Pick<Outside, 'secrets'>, purpose: TokenPurpose): KeyObject {
  const own = known.get(secrets) ?? new Map<TokenPurpose, KeyObject>();
  known.set(secrets, own);
  const secret = own.get(purpose) ?? createSecretKey(secrets.mac(Buffer.from('delivery token'), purpose));
  own.set(purpose, secret);
  return secret;
}

/**
 * The envelope's sender of a delivery: bounces and complaints come back to it. Its host is that of the domain, or else
 * `GALLEY_SMTP_DOMAIN`, whose MX record leads to the mail listener.
 */
export const returnPathOf = (
  outside: Pick<Outside, 'secrets' | 'config'>,
  delivery: { messageId: string; position: number },
  host = outside.config.smtp.domain,
): string => bounceAddress(sealDelivery(delivery, deliverySecret(outside, 'bounce')), host);

interface UnsubscribeLinks {
  /** Of every message of the domain. */
  unsubscribe: string;
  /** Of the tags of this message; one click is a POST to it (RFC 8058). */
  tagUnsubscribe: string;
  /** Of the mailing list whose member gets the copy. */
  mailingListUnsubscribe: string;
}

/**
 * Where the reader of a copy unsubscribes; undefined without `GALLEY_PUBLIC_URL`, which readers must be able to reach.
 */
export function unsubscribeLinksOf(
  outside: Pick<Outside, 'secrets' | 'config'>,
  delivery: { messageId: string; position: number },
): UnsubscribeLinks | undefined {
  const { publicUrl } = outside.config;
  if (publicUrl === '') return undefined;
  const token = sealDelivery(delivery, deliverySecret(outside, 'unsubscribe'));
  const tagUnsubscribe = `${publicUrl}/u/${token}`;
  const mailingListUnsubscribe = `${publicUrl}/u/list/${token}`;
  return { unsubscribe: `${tagUnsubscribe}?all=yes`, tagUnsubscribe, mailingListUnsubscribe };
}

/** Where the links of a copy lead, and its image. What cannot be tracked stays as it is. */
export function trackedLinksOf(
  outside: Pick<Outside, 'secrets'>,
  { messageId, position, tracked }: { messageId: string; position: number; tracked: Tracked },
): NonNullable<Filling['tracked']> {
  const { domainId, baseUrl } = tracked;
  const place = { domainId, messageId, position };
  const [clicks, opens] = [deliverySecret(outside, 'click'), deliverySecret(outside, 'open')];
  return {
    linkTo(link, url) {
      if (!URL.canParse(url)) return undefined;
      const token = sealLink({ ...place, link, url: new URL(url).href }, clicks);
      return token && `${baseUrl}/c/${token}`;
    },
    pixel: `${baseUrl}/o/${sealLink({ ...place, link: 0, url: '' }, opens)}`,
  };
}
