// Whether a refusal means that the address is gone for good, so that it is not written to again.

interface Refusal {
  /** Of the reply; 0 or none: it is not known. */
  code?: number | undefined;
  /** `5.1.1` (RFC 3463). */
  enhanced?: string | undefined;
  text: string;
}

/**
 * Of the registry of enhanced codes (RFC 3463, 5248, 7505): unknown mailbox, unknown or wrong domain, bad syntax, moved,
 * a domain that takes no mail, a mailbox that is disabled.
 */
const HARD = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1']);
/** These say nothing beside the text: other or undefined status of anything. */
const VAGUE = new Set(['5.0.0', '5.1.0', '5.2.0', '5.3.0', '5.5.0', '5.4.1']);

/** Whatever the code says: providers refuse senders, and full or busy mailboxes, with codes of unknown ones. */
const ABOUT_OTHERS = new RegExp(
  [
    String.raw`quota`,
    String.raw`(?:mailbox|inbox|storage|account) (?:is )?(?:full|exceed)`,
    String.raw`full mailbox`,
    String.raw`spam`,
    String.raw`black-?list|block-?list|blocked|\brbl\b|spamhaus|barracuda`,
    String.raw`reputation|polic(?:y|ies)|dmarc|\bspf\b|dkim|unauthenticated|authentication|relay`,
    String.raw`rate(?:[- ]limit| that prevents)|too (?:many|quickly|fast)|throttl`,
    String.raw`gr[ae]y-?list|try again|temporar`,
    String.raw`sender (?:address )?(?:rejected|denied|unknown|verify)|suspicious`,
  ].join('|'),
  'i',
);

/** As the large providers and servers word it that there is no such mailbox. */
const GONE = new RegExp(
  [
    String.raw`(?:user|mailbox|recipient|account|address|alias|addressee) (?:is |was )?(?:unknown|not found|invalid|disabled|inactive|discontinued|deactivated|suspended|unavailable)`,
    String.raw`(?:unknown|invalid|no such|non-?existent|inactive|disabled) (?:local )?(?:user|mailbox|recipient|account|address|alias|person)`,
    String.raw`(?:user|mailbox|recipient|account|address)(?: \S{1,320})? (?:does not|doesn't|do not) (?:exist|have)`,
    String.raw`(?:this |the )?user doesn't have an? \S{1,100} account`,
    String.raw`requested action not taken: mailbox unavailable`,
    String.raw`no mailbox (?:here )?by that name|not our customer|is not a valid mailbox|address rejected: (?:undeliverable|unknown)`,
    String.raw`(?:domain|host)(?: name)? (?:does not exist|not found|unknown)|no such domain|does not accept (?:e-?)?mail`,
  ].join('|'),
  'i',
);

const TEXT_LENGTH_MAX = 2000;

/** Whether a text words why mail was refused, in a way that is known. */
export const namesCause = (text: string): boolean => ABOUT_OTHERS.test(text) || GONE.test(text);

/**
 * True when the address refused for good. Never for what may pass (4xx), for a full mailbox, or for what is said of the
 * sender or of the message. A code without an enhanced one, or with one that says nothing, is decided by the text.
 */
export function isHardBounce({ code = 0, enhanced = '', text }: Refusal): boolean {
  const said = text.slice(0, TEXT_LENGTH_MAX);
  if (enhanced === '' ? code < 500 || code > 599 : !enhanced.startsWith('5.')) return false;
  if (ABOUT_OTHERS.test(said)) return false;
  if (HARD.has(enhanced)) return true;
  return (enhanced === '' || VAGUE.has(enhanced)) && GONE.test(said);
}
