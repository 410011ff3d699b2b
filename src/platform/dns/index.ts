// The only DNS resolver. All code that asks DNS receives it, so that tests can declare the zones.
export { createDns, systemServers } from './resolver.ts';
export { createAddressesOf, createOwnAddressesOf, systemAddresses, type AddressesOf } from './addresses.ts';
export { doubtingDns, openDns } from './doubting.ts';
export { rememberingDns } from './remembering.ts';
export { createZoneDns, overlayDns, reverseName, type DeclaredRecords, type DeclaredZone } from './zone.ts';
export { DnsError, isNoSuchName, lookUp, type Dns, type MxRecord } from './types.ts';
