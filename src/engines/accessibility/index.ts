// Accessibility of a message: WCAG 2.2 as far as it applies to email, email's own rules, and repairs.
export { AXE_RULES } from './axe-rules.ts';
export { darkVariants, eachDarkVariant, type DarkVariant, type JudgedVariant } from './dark-variants.ts';
export { isLanguage } from './email-rules/language.ts';
export { fixAccessibility, type FixCounts, type FixedMessage } from './fix/fix-accessibility.ts';
export type { FixOptions } from './fix/fixing.ts';
export { judge, type JudgeRequest } from './judge.ts';
export { MARK_ATTRIBUTE, markElements } from './mark-elements.ts';
export { readMail } from './read-mail.ts';
export type { AccessibilityReport, ImageMotion } from './types.ts';
