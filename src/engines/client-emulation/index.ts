export { CLIENTS, defaultClientIds, findClient } from './catalogue.ts';
export { emulate } from './emulate.ts';
export { parseMessage } from './parse-message.ts';
export type { ClientProfile, DarkStrategy, Fidelity } from './types.ts';
