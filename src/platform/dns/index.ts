// The one resolver. Everything that asks DNS gets this door, so that tests declare what the world's zones say.
export { createDns } from './resolver.ts';
export { createAddressesOf, createOwnAddressesOf, systemAddresses, type AddressesOf } from './addresses.ts';
export { createZoneDns, overlayDns, reverseName, type DeclaredRecords, type DeclaredZone } from './zone.ts';
export { DnsError, isNoSuchName, type Dns, type MxRecord } from './types.ts';
