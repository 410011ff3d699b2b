// Galley's own receivers: kinds of receivers as data, and what each would do with a message; pure.
export { isBulkMail } from './authentication.ts';
export { decidePlacement } from './decide-placement.ts';
export { type CitedSentence } from './documents.ts';
export { factsOfMessage, type MessageToRead } from './facts-of-message.ts';
export { RECEIVERS } from './receivers.ts';
export type {
  AuthAction, AuthCondition, AuthenticationFacts, AuthRule, AuthVerdict, FilterOpinion, MessageFacts, Placement, PlacementInput, PlacementReason, PlacementVerdict, Receiver, TabRule, TabSignal,
} from './types.ts';
