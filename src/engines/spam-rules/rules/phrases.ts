// Phrases of unwanted mail. Each needs more than one word: a single word such as "free" or "click" says nothing.
import type { MailReading } from '../reading.ts';
import { listed, rules, type RuleMatch, type SpamRule } from '../rule.ts';
import type { RulePlace } from '../types.ts';
import { OFFERS } from './offers.ts';
import { phrasesOf } from './phrases-by-language.ts';

const PLACES_MAX = 20;

export interface PhraseRule {
  points: number;
  description: string;
  fix: string;
  source: string;
  phrases: RegExp[];
  /** How many different phrases the message must contain. Default 1. */
  least?: number;
  /** One of these must stand there too. */
  beside?: RegExp;
}

/** Rules that look for phrases in subject, visible text and text part. A phrase that stands in both parts is one. */
function matchPhrases(
  mail: MailReading,
  { phrases, least = 1, beside }: Pick<PhraseRule, 'phrases' | 'least' | 'beside'>,
): RuleMatch | undefined {
  const places: RulePlace[] = [];
  const kinds = new Set<RegExp>();
  const found: string[] = [];
  for (const words of mail.words) {
    for (const phrase of phrases) {
      // The text part repeats the HTML as a rule; only what it adds counts.
      if (words.part === 'text' && mail.html && kinds.has(phrase)) continue;
      for (const { 0: match, index } of words.value.matchAll(phrase)) {
        kinds.add(phrase);
        found.push(match);
        if (places.length < PLACES_MAX) places.push(words.place(index, match.length));
      }
    }
  }
  const hasCompany = !beside || mail.words.some(({ value }) => beside.test(value));
  return kinds.size >= least && hasCompany
    ? { message: `It says ${listed(found)}.`, places, count: found.length }
    : undefined;
}

const SA = (names: string) => `SpamAssassin knows it as ${names}`;
const GTUBE = /XJS\*C4JDBQADN1\.NSBN3\*2IDNEN\*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL\*C\.34X/g;

const TABLE: Record<string, PhraseRule> = {
  GTUBE: {
    points: 1000,
    description: 'The test string that every filter takes for spam.',
    fix: 'Take the string out; it is there to test filters with.',
    source: 'GTUBE, spamassassin.apache.org/gtube',
    phrases: [GTUBE],
  },
  BODY_ADVANCE_FEE: {
    points: 3,
    description: 'A fortune that waits for a stranger, as in advance fee fraud.',
    fix: 'Nothing honest is written like this: write what you really offer, without strangers’ millions.',
    source: SA('ADVANCE_FEE_*'),
    phrases: [
      /\bnext of kin\b/gi,
      /\b(?:late|deceased) (?:client|husband|father|customer)\b/gi,
      /\b(?:sum|amount) of (?:us)?\s?[$€£]\s?\d[\d.,]*\s*(?:million|m\b)?/gi,
      /\b(?:unclaimed|dormant) (?:fund|account|inheritance)s?\b/gi,
      /\b(?:transfer|release) (?:of )?(?:the |this )?funds? (?:in)?to your\b/gi,
      /\b(?:your|as the) beneficiary\b/gi,
      /\bmy name is (?:barrister|dr\.?|prince|mrs\.?) [a-z]+/gi,
      /\bfund beneficiary\b/gi,
    ],
    least: 2,
  },
  BODY_LOTTERY: {
    points: 2.2,
    description: 'A prize that the reader never played for.',
    fix: 'Name the draw the reader took part in, and do not tell people that they have won.',
    source: SA('LOTTERY_*, LOTTO_*'),
    phrases: [
      /\byou(?:’|'| ha)?ve (?:just )?(?:won|been (?:selected|chosen)) (?:as )?(?:[$€£]\s?\d{1,3}(?:[.,]\d{3})+|(?:a|the|our|in|to (?:win|receive|claim))\b[^.\n]{0,40}(?:prize|lottery|winner|reward|\$|€|£|gift card))/gi,
      /\b(?:claim|collect) your (?:prize|winnings|reward)\b/gi,
      /\b(?:e-?mail|online|international) (?:lottery|sweepstakes?)\b/gi,
      /\bwinning (?:number|notification|ticket)s?\b/gi,
    ],
  },
  BODY_EASY_MONEY: {
    points: 2,
    description: 'Money without work.',
    fix: 'Do not promise income; say what the product is and what it costs.',
    source: SA('MONEY_*'),
    phrases: [
      /\b(?:earn|make|get) (?:up to |over |an extra )?[$€£]\s?\d[\d.,]*k?\+? (?:a|per|each|every|\/) ?(?:day|week|month|hour)\b/gi,
      /\bmake money (?:fast|online|from home)\b/gi,
      /\bwork(?:ing)? from home and (?:earn|make)\b/gi,
      /\bdouble your (?:income|money|investment)\b/gi,
      /\bfinancial freedom\b/gi,
      /\bbe your own boss\b/gi,
      /\bextra (?:cash|income) (?:every|each|per|from home)\b/gi,
    ],
  },
  BODY_DEBT: {
    points: 1.2,
    description: 'Loans and debts without questions.',
    fix: 'Write to people who asked for an offer, with conditions instead of promises.',
    source: SA('phrases of 20_phrases.cf'),
    phrases: [
      /\bconsolidate (?:your |all )?(?:debt|loan)s?\b/gi,
      /\bno credit check\b/gi,
      /\b(?:bad|poor) credit (?:ok|accepted|no problem)\b/gi,
      /\beliminate (?:your )?debts?\b/gi,
      /\b(?:instant|guaranteed) (?:loan|approval)\b/gi,
      /\bpre-?approved (?:for|loan|credit)\b/gi,
    ],
  },
  BODY_PHARMACY: {
    points: 3,
    description: 'Medicine from unknown shops.',
    fix: 'If this is your trade, send only to people who asked, and keep names of drugs out of mailings.',
    source: SA('DRUGS_*'),
    phrases: [
      /\b(?:viagra|cialis|levitra|tramadol|xanax|valium|phentermine|ozempic without)\b/gi,
      /\b(?:canadian|online|internet) pharmac(?:y|ies)\b/gi,
      /\bno prescription (?:needed|required)\b|\bwithout (?:a )?prescription\b/gi,
      /\b(?:male|penis) enhancement\b|\berectile dysfunction\b/gi,
    ],
  },
  BODY_REPLICA: {
    points: 1.8,
    description: 'Copies of brands.',
    fix: 'Do not advertise copies of brands.',
    source: SA('REPLICA_WATCH'),
    phrases: [
      /\b(?:replica|fake|imitation) (?:rolex|watch(?:es)?|handbags?|designer)\b/gi,
      /\brolex (?:replicas?|watch(?:es)? for)\b/gi,
    ],
  },
  BODY_WEIGHT_LOSS: {
    points: 1.3,
    description: 'Weight lost by miracle.',
    fix: 'Say what the product is; leave numbers of pounds and days out.',
    source: SA('DIET_1'),
    phrases: [
      /\blose (?:up to )?\d+ ?(?:lbs?|pounds|kg|kilos?)\b[^.\n]{0,30}\b(?:days?|weeks?)\b/gi,
      /\b(?:burn|melt)s? (?:away )?(?:belly )?fat (?:fast|overnight|without)\b/gi,
      /\bmiracle (?:pill|diet|weight)/gi,
    ],
  },
  BODY_CASINO: {
    points: 1.6,
    description: 'Gambling offers.',
    fix: 'Send gambling offers from a domain of their own, only where they are allowed, and to people who asked.',
    source: 'Practice of filters; gambling is a category of its own in most',
    phrases: [
      /\bonline casino\b/gi,
      /\b(?:free|bonus) spins?\b/gi,
      /\b(?:no deposit|welcome) bonus\b[^.\n]{0,40}\b(?:casino|poker|slots?|bets?)\b/gi,
      /\bcasino bonus\b/gi,
    ],
  },
  BODY_ADULT: {
    points: 2,
    description: 'Sexual offers.',
    fix: 'Most providers block this, whoever sends it; do not email it.',
    source: SA('the tests of 20_porn.cf'),
    phrases: [
      /\b(?:hot|sexy|horny|naked) (?:girls?|women|singles|milfs?|wives)\b/gi,
      /\bmeet (?:hot|sexy|local) singles\b/gi,
      /\bxxx (?:videos?|pics?|movies?)\b/gi,
      /\badult (?:dating|hookup|webcam)s?\b/gi,
    ],
  },
  BODY_CRYPTO: {
    points: 1.8,
    description: 'Sure profits with crypto money or shares.',
    fix: 'Do not promise returns; add the risks that the law asks for.',
    source: 'Practice of filters; securities regulators’ warnings',
    phrases: [
      /\b(?:guaranteed|risk[- ]free|daily) (?:profits?|returns?|roi)\b/gi,
      /\b(?:bitcoin|crypto(?:currency)?|forex|trading) (?:robot|bot|loophole|millionaire|giveaway)\b/gi,
      /\binvest (?:just |only )?[$€£]?\s?\d[\d.,]* (?:and|to) (?:earn|get|make|receive)\b/gi,
    ],
  },
  BODY_EXTORTION: {
    points: 3.5,
    description: 'A threat to publish something unless money comes.',
    fix: 'This is the wording of blackmail; honest mail has no reason for it.',
    source: SA('BITCOIN_EXTORT_*'),
    phrases: [
      /\b(?:recorded|filmed|captured) you\b[^.\n]{0,60}\b(?:webcam|camera|video)\b|\b(?:webcam|camera)\b[^.\n]{0,60}\brecorded you\b/gi,
      /\bi (?:have )?(?:hacked|infected|gained access to) your (?:device|computer|account|phone|system)\b/gi,
      /\bsend (?:exactly )?[$€£]?\s?\d[\d.,]*\s*(?:usd |worth )?(?:of |in )?(?:bitcoins?|btc)\b/gi,
    ],
  },
  BODY_ACCOUNT_THREAT: {
    points: 1.8,
    description: 'An account that will be lost unless the reader acts, as in phishing.',
    fix:
      'State what happened and where to look, without a threat or a deadline; let people go ' +
      'to your site by themselves.',
    source: 'Anti-Phishing Working Group; Rspamd: PHISHING',
    phrases: [
      /\byour (?:account|mailbox|e-?mail|card|access) (?:will be|has been|is about to be|was) (?:suspended|limited|locked|deactivated|terminated|disabled|closed|blocked)\b/gi,
      /\b(?:verify|confirm|validate|update) your (?:account|identity|mailbox|billing|payment) (?:information |details )?(?:now|immediately|within|to avoid|or )/gi,
      /\bfailure to (?:do so|verify|comply|confirm) (?:will|may) result\b/gi,
      /\bunusual (?:sign-?in|login) (?:activity|attempt)\b[^.\n]{0,80}\b(?:verify|confirm|click)\b/gi,
      /\bmailbox (?:is )?(?:almost )?(?:full|exceeded|over quota)\b/gi,
    ],
  },
  BODY_SECRETS: {
    points: 2,
    description: 'A request for passwords or numbers that nobody asks for by mail.',
    fix: 'Never ask for secrets by mail; lead people to their account instead.',
    source: 'Anti-Phishing Working Group',
    phrases: [
      /\b(?:enter|send|provide|confirm|reply with) (?:us )?your (?:current )?(?:password|pin|ssn|social security|credit card|card number|cvv|bank details|seed phrase|wallet)\b/gi,
    ],
  },
  BODY_NO_RISK: {
    points: 0.7,
    description: 'Several empty promises: free, no risk, no obligation.',
    fix: 'Keep at most one of these, and say instead what the offer costs and contains.',
    source: SA('phrases of 20_phrases.cf'),
    phrases: [
      /\b100 ?% (?:free|guaranteed|satisfied|satisfaction)\b/gi,
      /\brisk[- ]free\b/gi,
      /\bno (?:obligation|strings attached|hidden (?:costs?|fees?)|questions asked|catch)\b/gi,
      /\bsatisfaction guaranteed\b/gi,
      /\b(?:absolutely|completely) free\b/gi,
      /\bmoney[- ]back guarantee\b/gi,
      /\bonce in a lifetime\b/gi,
    ],
    least: 2,
  },
  BODY_PRESSURE: {
    points: 0.6,
    description: 'Pressure to act at once, in several ways.',
    fix: 'Name the date on which the offer ends, once.',
    source: SA('URG_BIZ'),
    phrases: [
      /\bact (?:now|fast|immediately)\b/gi,
      /\bdon['’]?t (?:delete|miss this|hesitate)\b/gi,
      /\b(?:only|just) \d+ (?:left|spots?|seats?|hours? left)\b/gi,
      /\blimited time(?: only| offer)?\b/gi,
      /\bwhile (?:supplies|stocks?) lasts?\b/gi,
      /\burgent(?:ly)? (?:response|reply|action|attention)\b/gi,
      /\b(?:last|final) (?:chance|warning|notice)\b/gi,
      /\bexpires? (?:today|tonight|soon|in \d+ hours?)\b/gi,
      /\border now\b/gi,
      /\bbuy now\b/gi,
    ],
    least: 3,
  },
  BODY_SAYS_NOT_SPAM: {
    points: 1.5,
    description: 'A message that says it is no spam.',
    fix: 'Say instead why the reader gets it: “You subscribed on …”.',
    source: SA('EXCUSE_*'),
    phrases: [
      /\bthis (?:e-?mail|message|mail) is not (?:a )?(?:spam|unsolicited)\b/gi,
      /\bwe (?:hate|do not|don['’]t) (?:send )?spam\b[^.\n]{0,40}\b(?:remove|comply)\b/gi,
      /\b(?:can-?spam|section 301|s\.?\s?1618)\b[^.\n]{0,60}\bcompl(?:y|ies|iance|iant)\b|\bcompl(?:y|ies|iance|iant)\b[^.\n]{0,40}\bsection 301\b/gi,
      /\bone[- ]time (?:mailing|e-?mail)\b/gi,
    ],
  },
  BODY_REPLY_REMOVE: {
    points: 1,
    description: 'Leaving the list takes an answer by mail.',
    fix: 'Offer a link and one-click unsubscribing (RFC 8058).',
    source: SA('EXCUSE_REMOVE'),
    phrases: [
      /\b(?:reply|respond|send (?:an? )?e-?mail)\b[^.\n]{0,40}\b(?:word |subject )?["“']?(?:remove|unsubscribe|stop)["”']?[^.\n]{0,30}\bsubject\b/gi,
      /\breply (?:with )?["“'](?:remove|unsubscribe|stop)["”']/gi,
    ],
  },
  BODY_IMPERSONAL: {
    points: 0.7,
    description: 'A greeting for nobody in particular.',
    fix: 'Greet by name, or leave the greeting out.',
    source: SA('DEAR_FRIEND, DEAR_SOMETHING'),
    phrases: [
      /\b(?:dear|attention|hello|attn)[:,]? (?:friend|beneficiary|winner|(?:valued|esteemed) (?:customer|user|client)|e-?mail (?:user|owner)|sir\s?(?:\/|or|and)\s?madam|account (?:holder|owner|user))\b/gi,
    ],
  },
  BODY_BULK_OFFER: {
    points: 1.5,
    description: 'Addresses, links or rankings for sale.',
    fix: 'Do not sell lists or links by mail.',
    source: 'Practice of filters',
    phrases: [
      /\b(?:million|thousands? of) (?:verified |fresh |targeted )?(?:e-?mail addresses|leads|contacts)\b/gi,
      /\b(?:first page|top|#1|rank) (?:of|on|in) google\b/gi,
      /\b(?:buy|purchase) (?:e-?mail|backlinks?|followers|instagram)\b/gi,
      /\bbulk e-?mail(?:ing)?\b/gi,
      /\bguest posts?\b[^.\n]{0,50}\b(?:backlinks?|price|da \d)/gi,
    ],
  },
};

function phraseRule(name: string, { phrases, least, beside, ...info }: PhraseRule) {
  const all = [...phrases, ...phrasesOf(name)];
  return {
    ...info,
    check: (mail: MailReading) =>
      matchPhrases(mail, { phrases: all, ...(least && { least }), ...(beside && { beside }) }),
  };
}

export const PHRASE_RULES: SpamRule[] = rules(
  'content',
  Object.fromEntries(Object.entries({ ...TABLE, ...OFFERS }).map(([name, given]) => [name, phraseRule(name, given)])),
);
