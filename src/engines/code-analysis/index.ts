// Which features a message uses, where, and what each client does with them; pure.
export { analyzeCode, packAnalysis, unpackAnalysis, type PackedAnalysis } from './analyze-code.ts';
export {
  audienceProblems,
  audiences,
  defaultAudience,
  findAudience,
  readClient,
  weightedClients,
  type Audience,
  type AudienceClient,
} from './audiences.ts';
export { dictionary } from './dictionary.ts';
export { findingsOf } from './findings-of.ts';
export { featureViews, instanceId, supportAggregates, type ResultFilter } from './result-views.ts';
export { isReadBy } from './client-loss.ts';
export { scoreFor, type CodeScore } from './score.ts';
export { usedFeatures, type UsedFeature } from './used-features.ts';
export type { AnalyzedFeature, AnalyzeOptions, CodeAnalysis } from './types.ts';
