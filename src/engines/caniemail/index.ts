// What caniemail.com measured, by client, and the rules made from it; pure.
export {
  applicationTypeByPlatform,
  applicationTypeOf,
  categoryNames,
  clientName,
  familyNames,
  platformNames,
  type ApplicationType,
} from './clients.ts';
export { rulesFor, ruleTable, type RuleSet, type SupportKey, type UndecidedCell } from './compile-rules.ts';
export { freshSupport, freshSupportOf } from './freshness.ts';
export { imageFormatOfType, imageFormatsOf } from './image-formats.ts';
export type { Account } from './note-reading.ts';
export { readNote } from './notes.ts';
export type {
  AtRuleRule,
  AttributeRule,
  DeclarationFacts,
  DeclarationRule,
  ElementLimit,
  ElementRule,
  FeatureRule,
  NestingRule,
  Place,
  StyleRuleRule,
} from './rule.ts';
export {
  clientsOfData,
  dataDate,
  familyOf,
  featureOf,
  features,
  supportOf,
  type Feature,
  type Support,
  type SupportLevel,
} from './support-data.ts';
