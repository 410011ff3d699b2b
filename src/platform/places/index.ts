// Where an address is, by a file of the operator's in the format of MaxMind DB. Nothing is asked of anybody.
import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { Reader, type CityResponse } from 'mmdb-lib';
import { messageOf } from '../errors/index.ts';

/** What a file does not say is undefined. */
interface Place {
  /** Two letters (ISO 3166-1). */
  country: string | undefined;
  region: string | undefined;
  city: string | undefined;
}

export interface Places {
  /** When the file was made. */
  asOf: Date;
  /** Undefined for an address that the file does not know. */
  placeOf(address: string): Place | undefined;
}

/** It is held in memory. */
const FILE_BYTES_MAX = 512 * 1024 * 1024;

/** What files of cities name so long is none. */
const NAME_LENGTH_MAX = 100;

/** The part of a record that files of countries and of cities share. */
interface Entry {
  country?: { iso_code?: unknown };
  registered_country?: { iso_code?: unknown };
  subdivisions?: { iso_code?: unknown; names?: { en?: unknown } }[];
  city?: { names?: { en?: unknown } };
}

/** A file may hold anything. */
const nameOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, NAME_LENGTH_MAX) : undefined;

/**
 * Reads the file (MaxMind DB 2.0). Throws an Error that names the setting and what is wrong. A record that is broken
 * in a file that could be read is an address that the file does not know; `onFault` hears of the first one.
 */
export async function openPlaces(path: string, onFault: (message: string) => void): Promise<Places> {
  const reader = await readerOf(path).catch((error: unknown) => {
    throw new Error(`GALLEY_GEO_FILE "${path}" cannot be read as a file of places (.mmdb): ${messageOf(error)}`);
  });
  let isToldOf = false;
  const entryOf = (address: string): Entry | undefined => {
    try {
      return (reader.get(address) as Entry | null) ?? undefined;
    } catch (error) {
      if (!isToldOf) onFault(messageOf(error));
      isToldOf = true;
      return undefined;
    }
  };
  return {
    asOf: reader.metadata.buildEpoch,
    placeOf(address) {
      const version = isIP(address);
      // A file of addresses of IPv4 says nothing of others.
      if (version === 0 || (version === 6 && reader.metadata.ipVersion === 4)) return undefined;
      const entry = entryOf(address);
      if (!entry) return undefined;
      const { country, registered_country: registered, subdivisions, city } = entry;
      const part = subdivisions?.[0];
      return {
        country: nameOf(country?.iso_code) ?? nameOf(registered?.iso_code),
        region: nameOf(part?.names?.en) ?? nameOf(part?.iso_code),
        city: nameOf(city?.names?.en),
      };
    },
  };
}

async function readerOf(path: string): Promise<Reader<CityResponse>> {
  const { size } = await stat(path);
  if (size > FILE_BYTES_MAX) throw new Error(`it has ${size} bytes; at most ${FILE_BYTES_MAX} are read`);
  return new Reader(await readFile(path));
}
