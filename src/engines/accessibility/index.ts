// Accessibility of a message: WCAG 2.2 as far as it applies to email, email's own rules, and repairs.
export type { AxeAudit } from './axe-outcomes.ts';
export { AXE_RULES, AXE_RULES_LEFT_OUT } from './axe-rules.ts';
export { darkVariants, eachDarkVariant, type DarkVariant, type JudgedVariant } from './dark-variants.ts';
export { EMAIL_RULES } from './email-rules/index.ts';
export { isLanguage } from './email-rules/language.ts';
export { fixAccessibility, fixAccessibilityInSteps, type FixCounts, type FixedMessage } from './fix/fix-accessibility.ts';
export type { FixChange, FixLeft, FixOptions } from './fix/fixing.ts';
export { FIXABLE_RULES, LOOKS_RULES } from './fixable-rules.ts';
export { judge, type JudgeRequest } from './judge.ts';
export { MARK_ATTRIBUTE, markElements } from './mark-elements.ts';
export { isWithinLimits } from './read-mail.ts';
export type { AccessibilityReport, ImageMotion, Impact, Judgement, RuleInstance, RuleResult } from './types.ts';
