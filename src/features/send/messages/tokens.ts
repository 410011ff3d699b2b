// What a delivery is called in its return path and in its links: a token for each purpose, with a secret of its own.
import { bounceAddress, sealDelivery } from '../../../engines/delivery-tokens/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';

type TokenPurpose = 'bounce' | 'unsubscribe';

/** What tokens of this purpose are sealed and opened with. The same for as long as the service keeps its secret key. */
export const deliverySecret = ({ secrets }: Pick<Outside, 'secrets'>, purpose: TokenPurpose): Buffer =>
  secrets.mac(Buffer.from('delivery token'), purpose);

/**
 * The envelope's sender of a delivery: bounces and complaints come back to it. Its host is `GALLEY_SMTP_DOMAIN`, whose
 * MX record leads to the mail listener.
 */
export const returnPathOf = (
  outside: Pick<Outside, 'secrets' | 'config'>,
  delivery: { messageId: string; position: number },
): string => bounceAddress(sealDelivery(delivery, deliverySecret(outside, 'bounce')), outside.config.smtp.domain);
