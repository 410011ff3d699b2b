// What each client makes of a message: the catalog, the emulation and its dark mode; pure.
export { CLIENTS, defaultClientIds, findClient } from './catalog.ts';
export { darkRuleOf } from './dark-rule.ts';
export { emulate } from './emulate.ts';
export { undecidedCells } from './filter-features.ts';
export { behaviorFamilyOf, publishedBehaviorsOf } from './measured.ts';
export { parseMessage } from './parse-message.ts';
export type { ClientProfile, DarkStrategy, Fidelity } from './types.ts';
