// Galley's own receivers: kinds of receivers as data, and what each would do with a message; pure.
export { isBulkMail } from './authentication.ts';
export { decidePlacement } from './decide-placement.ts';
export { factsOfMessage } from './facts-of-message.ts';
export { RECEIVERS } from './receivers.ts';
export type { AuthenticationFacts, FilterOpinion, PlacementInput, PlacementVerdict, Receiver } from './types.ts';
