// One file of many, which proves that it is whole: a tar archive with the SHA-256 of every entry and a manifest.
export { ArchiveFault, checkArchive, readEntries, type ArchiveEntry, type Manifest } from './read-archive.ts';
export { createArchive, type ArchiveWriter } from './write-archive.ts';
