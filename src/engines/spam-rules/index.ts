// The built-in spam filter: published rules and points, each with the words that caused it; pure.
export { explainSymbol } from './explain-symbol.ts';
export { languageOf, LANGUAGES, type Language } from './language.ts';
export { FREEMAIL } from './lists.ts';
export {
  comparedWith,
  measuredBeside,
  rateInWords,
  SPAM_MEASURED,
  type CalledSpam,
  type Measured,
  type MeasuredCollection,
  type MeasuredLanguage,
} from './measured.ts';
export { readMail } from './reading.ts';
export { scoreSpam, SPAM_RULES, SPAM_RULES_VERSION, SPAM_THRESHOLD, spamFindings, WRITTEN_POINTS } from './score.ts';
export type { RuleGroup, SpamInput, SpamScore } from './types.ts';
