// The one resolver. Everything that asks DNS gets this door, so that tests declare what the world's zones say.
export { createDns, type DnsOptions } from './resolver.ts';
export { createAddressesOf, createOwnAddressesOf, systemAddresses, type AddressesOf } from './addresses.ts';
export { createZoneDns, overlayDns, reverseName, type DeclaredRecords, type DeclaredZone, type ZoneDns } from './zone.ts';
export { DnsError, isNoSuchName, type DnsAnswers, type Dns, type DnsFailure, type MxRecord, type RecordType } from './types.ts';
