// The families that claims are counted in. Outlook is four programs with one name.
import { behaviorFamilyOf, type ClientProfile } from '../../src/engines/client-emulation/index.ts';

/** Every family, with the claims that it needs at least. */
export const FAMILIES = {
  'Outlook for Windows (Word)': 40,
  Gmail: 30,
  'Outlook.com and new Outlook': 20,
  'Outlook apps (iPhone, Android, Mac)': 10,
  'Apple Mail': 20,
  'Yahoo and AOL': 20,
  'Samsung Email': 10,
  Thunderbird: 10,
  'Proton Mail': 10,
  Fastmail: 10,
  HEY: 10,
  'German webmail': 10,
  'French webmail': 10,
  'Eastern European webmail': 10,
} as const;

export type ClaimFamily = keyof typeof FAMILIES;

/** The family that a client's claims count in. */
export const familyOfClient = (client: ClientProfile): ClaimFamily => behaviorFamilyOf(client) as ClaimFamily;
