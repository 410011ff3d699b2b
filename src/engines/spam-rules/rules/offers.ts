// English phrases of offers that nobody asked for, by what they offer.
import type { PhraseRule } from './phrases.ts';

const FIX = 'Write only to people who asked, and say what the offer is and costs, without these words.';
const SA = (names: string) => `SpamAssassin knows it as ${names}`;

export const OFFERS: Record<string, PhraseRule> = {
  BODY_SURVEY: {
    points: 1,
    description: 'A reward for answering a few questions.',
    fix: 'If you ask for opinions, promise nothing, and name the survey’s sender.',
    source: 'Practice of filters',
    phrases: [
      /\b(?:take|complete|answer|fill (?:out|in)|participate in)\b[^.\n]{0,30}\b(?:survey|questionnaire)\b/gi,
      /\bsurvey\b[^.\n]{0,50}\b(?:reward|prize|gift|free|win)\b/gi,
    ],
  },
  BODY_GIFT: {
    points: 1.3,
    description: 'A gift that waits to be claimed.',
    fix: 'Name the draw or the order that the gift belongs to.',
    source: 'Practice of filters',
    phrases: [
      /\bclaim (?:your|it|now|yours)\b/gi,
      /\b(?:free|exclusive|\$\d+) (?:gift|reward|sample|trial offer|gift card)s?\b[^.\n]{0,40}\b(?:claim|confirm|inside|waiting|awaits?|now)\b/gi,
      /\byou(?:['’]ve| have) been (?:selected|chosen|picked)\b/gi,
      /\b(?:confirmation|reward|package|prize|offer)\b[^.\n]{0,20}\b(?:is )?(?:pending|waiting for you|expires)\b/gi,
      /\bconsumer rewards?\b/gi,
    ],
  },
  BODY_WALLET: {
    points: 1.6,
    description: 'Crypto money that is to be claimed, or a wallet that is to be verified.',
    fix: 'Never ask for a wallet by mail; lead people to your site by themselves.',
    source: 'Practice of filters; Anti-Phishing Working Group',
    phrases: [
      /\b(?:usdt|erc-?20|airdrop|seed phrase|metamask|trust ?wallet|ledger (?:live|device)|recovery phrase|bitcoin|btc|ethereum|uniswap)\b/gi,
      /\b(?:connect|verify|validate|synchroni[sz]e|update) (?:your )?(?:crypto )?wallets?\b/gi,
      /\b(?:your|crypto) wallets?\b[^.\n]{0,50}\b(?:suspended|disabled|restricted|verif|upgrade|attention)\w*/gi,
    ],
    least: 2,
  },
  BODY_STORAGE: {
    points: 1.5,
    description: 'Storage that is said to be full, or photos that will be deleted.',
    fix: 'State what happened and where to look, without a threat.',
    source: 'Practice of filters',
    phrases: [
      /\b(?:cloud|i ?cloud|mailbox|storage|drive)\b[^.\n]{0,40}\b(?:is )?(?:full|almost full|limit|exceeded|run(?:ning)? out)\b/gi,
      /\b(?:photos|files|videos|data|messages)\b[^.\n]{0,30}\bwill be (?:deleted|removed|lost)\b/gi,
      /\b(?:pending|undelivered|quarantined|held|blocked) (?:e-?mails?|messages?)\b/gi,
    ],
  },
  BODY_DELIVERY: {
    points: 1.4,
    description: 'A parcel that waits for a payment or an address.',
    fix: 'Name the order, and let people look it up on your site.',
    source: 'Practice of filters; Anti-Phishing Working Group',
    phrases: [
      /\b(?:package|parcel|shipment|delivery)\b[^.\n]{0,60}\b(?:could not be|was not|unable to|failed|on hold|suspended|pending|held at)\b/gi,
      /\b(?:customs|delivery|shipping|redelivery) (?:fee|charge)s?\b[^.\n]{0,40}\b(?:pay|paid|unpaid|of)\b/gi,
    ],
  },
  BODY_RENEWAL: {
    points: 1.2,
    description: 'A subscription that ends, or a payment that failed.',
    fix: 'Name the account and the date; let people go to your site by themselves.',
    source: 'Practice of filters; Anti-Phishing Working Group',
    phrases: [
      /\b(?:subscription|membership|antivirus|protection|license)\b[^.\n]{0,40}\b(?:has |will )?(?:expired?|expire today|ended|been (?:charged|renewed|cancell?ed))\b/gi,
      /\b(?:payment|billing|transaction)\b[^.\n]{0,30}\b(?:failed|declined|problem|could not be processed|on hold)\b/gi,
      /\bunusual sign[ .-]?in activity\b/gi,
      /\b(?:call|contact)\b[^.\n]{0,50}\b(?:cancel|refund|dispute)\b[^.\n]{0,40}\b(?:charge|order|subscription|payment)\b/gi,
    ],
  },
  BODY_REMOVE_LIST: {
    points: 1.1,
    description: 'Words about being removed from a list, as senders use who were never asked.',
    fix: 'Say on which list the reader is, since when, and offer one-click unsubscribing.',
    source: SA('REMOVE_*, EXCUSE_*'),
    phrases: [
      /\b(?:to be|wish to be|like to be|want to be|be) (?:permanently |promptly )?(?:removed|taken off|deleted)\b[^.\n]{0,40}\b(?:list|mailings?|database|future)\b/gi,
      /\bremove (?:me|yourself|your (?:name|address|e-?mail))\b/gi,
      /\b(?:click here|reply)\b[^.\n]{0,20}\bto (?:be )?remove[d]?\b/gi,
      /\byou (?:are receiving|received) this (?:e-?mail|message|mail)? ?(?:because|as) (?:you (?:have )?(?:expressed (?:an )?interest|indicated)|one of our (?:partners?|affiliates?))/gi,
    ],
  },
  BODY_MORTGAGE: {
    points: 1.6,
    description: 'Mortgages, insurance and warranties at the best rate.',
    fix: FIX,
    source: SA('MORTGAGE_*, LOW_INTEREST'),
    phrases: [
      /\b(?:refinanc\w+|mortgage (?:rates?|quotes?|loans?|lenders?)|home ?equity|(?:low(?:er|est)?|best) (?:interest |mortgage |insurance )?rates?)\b/gi,
      /\b(?:auto|car|life|health|home) (?:insurance|warranty)\b[^.\n]{0,60}\b(?:quotes?|save|free|low|cover)\b/gi,
      /\bextended (?:auto )?warranty\b/gi,
      /\b(?:free|no cost|no obligation) (?:quotes?|consultation|estimate)\b/gi,
      /\b(?:cash|all.cash) offer\b[^.\n]{0,40}\b(?:house|home)\b|\bsell your (?:house|home)\b/gi,
    ],
  },
  BODY_MLM: {
    points: 1.6,
    description: 'A business that makes its readers rich.',
    fix: FIX,
    source: SA('MLM, BIZ_OPP rules'),
    phrases: [
      /\b(?:mlm|multi-?level|downline|home[- ]based business|work (?:at|from) home|business opportunit(?:y|ies)|residual income|network marketing)\b/gi,
      /\b(?:make|earn|made|making)\b[^.\n]{0,30}\$ ?\d[\d,]{2,}[^.\n]{0,30}\b(?:weeks?|months?|days?|year|hour)\b/gi,
      /\b(?:six|6|five|5)[- ]figure(?:s| income)\b|\bunlimited (?:income|earning)\b/gi,
      /\b(?:fire|quit) your (?:boss|job)\b/gi,
      /\bno (?:experience|selling|investment) (?:needed|required|necessary)\b/gi,
    ],
  },
  BODY_HERBAL: {
    points: 1.8,
    description: 'Remedies for desire, age and weight.',
    fix: FIX,
    source: SA('DRUGS_*, HGH, HERBAL'),
    phrases: [
      /\b(?:herbal|all[- ]natural|hgh|human growth hormone|testosterone|libido|sex(?:ual)? (?:drive|life|performance)|pheromones?|anti-?aging|wrinkles?|hair loss|fat burner|burn fat|weight ?loss|lose weight|diet pills?|keto|detox|cbd gumm(?:y|ies)|blood sugar|tinnitus|neuropathy|joint pain|toenail|memory loss|prostate)\b/gi,
      /\b(?:clinically proven|doctors? (?:hate|recommend|shocked)|miracle|breakthrough|weird trick|secret)\b/gi,
    ],
    least: 2,
  },
  BODY_AS_SEEN: {
    points: 1,
    description: 'Boasts: as seen on TV, amazing, incredible, guaranteed.',
    fix: 'Say what it is; let others praise it.',
    source: SA('AS_SEEN_ON, AMAZING_STUFF'),
    phrases: [
      /\bas seen on (?:tv|nbc|cbs|cnn|oprah|national)\b/gi,
      /\b(?:amazing|incredible|unbelievable|astounding|revolutionary) (?:new |offer|product|opportunity|software|results|deal|discovery|device)/gi,
      /\b(?:100 ?%|fully|money.back|absolutely) guaranteed?\b/gi,
      /\b(?:lowest|best|rock.bottom) prices?\b/gi,
      /\b(?:order|call|act|reply|sign up|join) (?:now|today)\b/gi,
      /\btoll[- ]?free\b|\b1?[-. (]*8(?:00|88|77|66)[-. )]+\d{3}[-. ]\d{4}\b/gi,
      /\bsave up to \d+ ?%/gi,
    ],
    least: 3,
  },
  BODY_INVESTORS: {
    points: 1.4,
    description: 'Shares that are about to rise, grants, and debts that vanish.',
    fix: FIX,
    source: SA('STOCK rules, GOVT_GRANT'),
    phrases: [
      /\b(?:hot|penny|undervalued) stocks?\b|\bstock (?:alert|pick|symbol)\b|\botc(?:bb)?:/gi,
      /\bgovernment grants?\b|\bfree grant money\b/gi,
      /\b(?:credit card|irs|tax) (?:debts?|problems?)\b|\b(?:judicial )?judg(?:e)?ments?\b[^.\n]{0,30}\bcollect/gi,
      /\bmerchant accounts?\b|\baccept credit cards\b/gi,
    ],
  },
  BODY_PARTNER: {
    points: 1.8,
    description: 'A stranger who seeks a partner for a transfer, in confidence.',
    fix: 'Nothing honest begins like this.',
    source: SA('ADVANCE_FEE_*'),
    phrases: [
      /\b(?:business proposal|strictly confidential|utmost (?:confidence|secrecy)|mutual (?:benefit|trust)|honest (?:partner|foreigner))\b/gi,
      /\b(?:foreign|overseas) (?:partner|account|business partner)\b/gi,
      /\b(?:nigeria|abidjan|c[oô]te d['’]ivoire|burkina faso|ghana|lagos|sierra leone|benin republic|congo)\b/gi,
      /\b(?:barrister|late (?:president|general|minister)|bank (?:manager|director|official)|auditor|widow)\b/gi,
      /\b(?:modalit(?:y|ies)|consignment|inheritance|bequest|donation|charity|orphanage)\b/gi,
      /\b(?:assist(?:ance)? (?:me|in)|contact me|reply me|urgent (?:response|reply)|get back to me)\b/gi,
    ],
    least: 3,
  },
};
