// The only HTTP client for requests to the outside. Nothing else in the project opens HTTP connections.
export { createFetch } from './fetch.ts';
export type { Fetched, FetchFailure, FetchOptions, FetchOutcome, GuardedFetch, RequestOptions } from './fetch.ts';
export { FetchError, type FetchReason } from './fetch-error.ts';
export type { AddressResolver, Hop, HopTimings } from './hop.ts';
export type { Certificate } from './certificate.ts';
export { isAddressRange, isPublicAddress, literalRefusalOf, networkOf, parseAllowList } from './addresses.ts';
export { politeQueue, type PoliteQueue } from './polite-queue.ts';
export { rememberingFetch } from './remembering-fetch.ts';
export { checkAsset, fetchAll } from './fetch-assets.ts';
export { canonicalNetwork, isInNetwork } from './networks.ts';
