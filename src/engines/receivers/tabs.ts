// Which tab a message belongs to, among those of a receiver.
import type { MessageFacts, TabRule, TabSignal } from './types.ts';

const COMMERCIAL =
  /\b(?:sales?|\d{1,2} ?% (?:off|rabatt|de réduction|de descuento)|discounts?|deals?|coupons?|promo(?:tion)? codes?|shop (?:now|the)|buy now|order now|free shipping|special offers?|new arrivals?|newsletter|rabatt|angebote?|gutschein|soldes|promotion|oferta|sconto|save [$€£]?\d+)\b/gi;
const TRANSACTION =
  /\b(?:your (?:order|invoice|receipt|booking|reservation|shipment|delivery|payment|statement|appointment|ticket)|order (?:number|confirmation|#)|has (?:been )?shipped|tracking number|invoice (?:number|no\.?|#)|receipt for|payment (?:received|due|failed)|verification code|security code|reset your password|confirm your (?:e-?mail|address)|ihre (?:bestellung|rechnung|buchung)|votre (?:commande|facture)|su (?:pedido|factura))\b/gi;
/** In a subject these are what the message is about; in a text they stand in the small print. */
const ACCOUNT =
  /\b(?:your (?:subscription|account|password)|ihr (?:konto|passwort)|votre (?:compte|mot de passe)|su (?:cuenta|contraseña))\b/gi;
const SOCIAL =
  /\b(?:(?:liked|commented on|shared|mentioned you|tagged you|reacted to|followed you|is now following|viewed your profile)|(?:friend|connection) request|new followers?|invited you to (?:connect|join)|people you may know|sent you a (?:message|friend request))\b/gi;

/** The name of each signal in a reason. */
export const SIGNAL_NAMES: Readonly<Record<TabSignal, string>> = {
  'list-unsubscribe': 'List-Unsubscribe',
  'list-id': 'List-ID',
  'feedback-id': 'Feedback-ID',
  'list-post': 'List-Post',
  'precedence-bulk': 'Precedence',
  'commercial-words': 'words of an offer',
  'many-offers': 'its many offers',
  'transaction-subject': 'a subject about a transaction',
  'transaction-words': 'wording of a transactional message',
  'social-words': 'words of a social network',
  'image-heavy': 'its many pictures',
  'many-links': 'its many links',
  'no-reply-sender': 'a sender who takes no replies',
  reply: 'being an answer',
  'auto-submitted': 'Auto-Submitted',
};

const count = (text: string, pattern: RegExp): number =>
  new Set([...text.matchAll(pattern)].map(([match]) => match.toLowerCase())).size;

/** Of a mailing only its start says what it is about: “your order” stands in the small print of most. */
const OPENING_CHARS = 600;
/** The share of pictures from which a message counts as mostly pictures. */
const IMAGE_SHARE = 0.5;
/** How many different words of an offer make a mailing of offers. */
const OFFERS_MANY = 4;

/** The signals that a message gives. */
function signalsOf({ headers, subject, text, links, imageShare }: MessageFacts): Set<TabSignal> {
  const words = `${subject}\n${text}`.slice(0, 50_000);
  const offers = count(words, COMMERCIAL);
  const has = (name: string): boolean => headers[name] !== undefined;
  const isMailing = has('list-unsubscribe');
  const told = isMailing ? text.slice(0, OPENING_CHARS) : words;
  const transactions = count(told, TRANSACTION) + (isMailing ? 0 : count(told, ACCOUNT));
  const table: Record<TabSignal, boolean> = {
    'list-unsubscribe': has('list-unsubscribe'),
    'list-id': has('list-id'),
    'feedback-id': has('feedback-id'),
    'list-post': has('list-post') && !/\bno\b/i.test(headers['list-post']!),
    'precedence-bulk': /^\s*(?:bulk|list)\s*$/i.test(headers['precedence'] ?? ''),
    'commercial-words': offers >= 2,
    'many-offers': offers >= OFFERS_MANY,
    'transaction-subject': count(subject, TRANSACTION) + count(subject, ACCOUNT) >= 1,
    'transaction-words': transactions >= 1,
    'social-words': count(words, SOCIAL) >= 1,
    'image-heavy': imageShare > IMAGE_SHARE,
    'many-links': links > 12,
    'no-reply-sender': /\b(?:no-?reply|do-?not-?reply|notifications?|news(?:letter)?|updates?)[^@\s]*@/i.test(
      headers['from'] ?? '',
    ),
    reply: has('in-reply-to') || has('references'),
    'auto-submitted': has('auto-submitted') && !/^\s*no\b/i.test(headers['auto-submitted']!),
  };
  return new Set((Object.keys(table) as TabSignal[]).filter((signal) => table[signal]));
}

/** The category with the most weight, and what spoke for it; undefined: the inbox proper. */
export function chooseTab(
  tabs: readonly TabRule[],
  facts: MessageFacts,
): { category: string; signals: TabSignal[] } | undefined {
  const given = signalsOf(facts);
  let best: { category: string; signals: TabSignal[]; weight: number } | undefined;
  for (const { category, signals, least } of tabs) {
    const held = (Object.entries(signals) as [TabSignal, number][]).filter(([signal]) => given.has(signal));
    const weight = held.reduce((sum, [, points]) => sum + points, 0);
    if (weight >= least && weight > (best?.weight ?? -Infinity))
      best = { category, weight, signals: held.filter(([, points]) => points > 0).map(([signal]) => signal) };
  }
  return best;
}
