// DNS as a test declares it.
export { createZoneDns, overlayDns, type DeclaredRecords, type DeclaredZone, type ZoneDns } from '../../src/platform/dns/index.ts';
