// Where an address is, by a file of the operator's in the format of MaxMind DB. Nothing is asked of anybody.
import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { Reader } from 'mmdb-lib';
import { messageOf } from '../errors/index.ts';

/** What a file does not say is undefined. */
export interface Place {
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

/** The part of a record that databases of countries and of cities share. */
interface Entry {
  country?: { iso_code?: string };
  registered_country?: { iso_code?: string };
  subdivisions?: { iso_code?: string; names?: { en?: string } }[];
  city?: { names?: { en?: string } };
}

/** Reads the file (MaxMind DB 2.0). Throws an Error that names the setting and what is wrong. */
export async function openPlaces(path: string): Promise<Places> {
  const reader = await readerOf(path).catch((error: unknown) => {
    throw new Error(`GALLEY_GEO_FILE "${path}" cannot be read as a file of places (.mmdb): ${messageOf(error)}`);
  });
  return {
    asOf: reader.metadata.buildEpoch,
    placeOf(address) {
      if (isIP(address) === 0) return undefined;
      const entry = reader.get(address);
      if (!entry) return undefined;
      const { country, registered_country: registered, subdivisions: [part] = [], city } = entry;
      return {
        country: country?.iso_code ?? registered?.iso_code,
        region: part?.names?.en ?? part?.iso_code,
        city: city?.names?.en,
      };
    },
  };
}

async function readerOf(path: string): Promise<Reader<Entry & object>> {
  const { size } = await stat(path);
  if (size > FILE_BYTES_MAX) throw new Error(`it has ${size} bytes; at most ${FILE_BYTES_MAX} are read`);
  return new Reader(await readFile(path));
}
