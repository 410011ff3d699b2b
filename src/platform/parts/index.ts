// What is too large for the package: fetched when it is first used, from the registry that npm is configured for, and
// kept for the user. A checkout has it all from set-up.
export { PartError, removeLeft, withPackages } from './fetch-part.ts';
export { NODE_MAJOR, provideNode } from './node.ts';
export { PART_TABLE, RUNTIME_DIR } from './places.ts';
export { tarFiles } from './tar.ts';
