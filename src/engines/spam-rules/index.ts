// The built-in spam filter: published rules and points, each with the words that caused it; pure.
export { explainSymbol } from './explain-symbol.ts';
export { LANGUAGES, languageOf, type Language } from './language.ts';
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
export { scoreSpam, spamFindings, SPAM_RULES, SPAM_RULES_VERSION, SPAM_THRESHOLD, WRITTEN_POINTS } from './score.ts';
export type { SpamInput, SpamScore } from './types.ts';
