export { CLIENTS, defaultClientIds, findClient } from './catalogue.ts';
export { emulate } from './emulate.ts';
export { parseMessage, type ParsedMessage } from './parse-message.ts';
export { supportCoverage, undecidedCells, type SupportCoverage, type UndecidedCell } from './filter-features.ts';
export type {
  ClientProfile, DarkStrategy, EmulatedDocument, EmulateOptions, EngineName, Fidelity,
} from './types.ts';
