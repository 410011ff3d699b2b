// Where a recipient is, as far as variables tell: those of a call, or those that a mailing list keeps of its member.
import { isTimeZone, zoneOfCountry } from '../../../platform/times/index.ts';

type Variables = Record<string, unknown> | null | undefined;

/** Recipient variables that name a time zone. The first that holds anything counts. */
const ZONE_NAMES = ['time_zone', 'timezone'];
/** One that names a country, in two letters (ISO 3166-1). */
const COUNTRY_NAME = 'country';

const held = (variables: Variables, name: string): unknown =>
  variables && Object.hasOwn(variables, name) ? variables[name] : undefined;

const isZone = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 100 && isTimeZone(value);

/** The first variable for a time zone that holds something else; undefined: there is none. */
export function wrongZoneIn(variables: Variables): { name: string; value: unknown } | undefined {
  const given = ZONE_NAMES.map((name) => ({ name, value: held(variables, name) }));
  const said = given.find(({ value }) => value !== undefined && value !== null && value !== '');
  return said && !isZone(said.value) ? said : undefined;
}

/**
 * The time zone: the one that is named, or that of the country, where all its clocks show the same. Undefined: nothing
 * tells it, or it is none.
 */
export function zoneIn(variables: Variables): string | undefined {
  const named = ZONE_NAMES.map((name) => held(variables, name)).find(isZone);
  if (named !== undefined) return named;
  const country = held(variables, COUNTRY_NAME);
  return typeof country === 'string' ? zoneOfCountry(country.trim()) : undefined;
}
