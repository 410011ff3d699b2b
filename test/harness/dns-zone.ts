// DNS as a test declares it.
export { createZoneDns, type DeclaredRecords, type DeclaredZone } from '../../src/platform/dns/index.ts';
