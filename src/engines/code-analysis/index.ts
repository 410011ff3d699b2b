export { analyzeCode, packAnalysis, unpackAnalysis, type PackedAnalysis } from './analyze-code.ts';
export { audienceProblems, audiences, defaultAudience, findAudience, readClient, weightedClients, type Audience, type AudienceClient, type WeightedClient } from './audiences.ts';
export { applicationTypeOf, clientName, type ApplicationType } from './clients.ts';
export { dictionary, type Dictionary } from './dictionary.ts';
export { findingsOf, type FindingOptions } from './findings-of.ts';
export {
  featureViews, instanceId, supportAggregates, type FeatureView, type ResultFilter, type SupportAggregates, type SupportSums,
} from './result-views.ts';
export { scoreFor, type Breakage, type ClientScore, type CodeScore } from './score.ts';
export type {
  AnalyzedFeature, AnalyzeOptions, CodeAnalysis, FeatureInstance, Readers, SupportRow, WordVersion,
} from './types.ts';
