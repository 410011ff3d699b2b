// The built-in spam filter: published rules and points, each with the words that caused it; pure.
export { explainSymbol, type SymbolAdvice } from './explain-symbol.ts';
export { scoreSpam, spamFindings, SPAM_RULES, SPAM_RULES_VERSION, SPAM_THRESHOLD } from './score.ts';
export type { MessagePart, RuleGroup, RulePlace, SpamInput, SpamRuleHit, SpamRuleInfo, SpamScore } from './types.ts';
