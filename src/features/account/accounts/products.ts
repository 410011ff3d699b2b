// What an account may be without: products that its parent has switched off.
import { AppError, invalid } from '../../../platform/errors/index.ts';
import { PRODUCTS, type Product } from '../../../platform/http/index.ts';
import type { Account } from './store.ts';

const NAMES = Object.keys(PRODUCTS) as Product[];

/** All of them, as the wire shows them. */
export function featuresOf({ switchedOff }: Pick<Account, 'switchedOff'>): Record<Product, { enabled: boolean }> {
  const all = NAMES.map((name) => [name, { enabled: !switchedOff.includes(name) }] as const);
  return Object.fromEntries(all) as Record<Product, { enabled: boolean }>;
}

/** `{"enabled": true}`, as a value or as its JSON: clients send forms whose fields hold JSON. */
function readSwitch(name: Product, given: unknown): boolean {
  const wrong = invalid(name, 'must be {"enabled": true} or {"enabled": false}; in a form, as JSON.');
  let value = given;
  if (typeof given === 'string')
    try {
      value = JSON.parse(given);
    } catch {
      throw wrong;
    }
  const enabled = typeof value === 'object' && value !== null ? (value as { enabled?: unknown }).enabled : undefined;
  if (typeof enabled !== 'boolean') throw wrong;
  return enabled;
}

/** What is switched off after these changes. Throws `invalid_request`. */
export function readSwitches(
  given: Readonly<Record<string, unknown>>,
  { switchedOff }: Pick<Account, 'switchedOff'>,
): Product[] {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(PRODUCTS, name));
  if (unknown !== undefined) throw invalid(unknown.slice(0, 100), `is not known here; valid are ${NAMES.join(', ')}.`);
  const named = NAMES.filter((name) => given[name] !== undefined);
  if (named.length === 0)
    throw new AppError('invalid_request', `No valid updates provided: name one of ${NAMES.join(', ')}.`);
  const off = new Set(switchedOff);
  for (const name of named) {
    if (readSwitch(name, given[name])) off.delete(name);
    else off.add(name);
  }
  return NAMES.filter((name) => off.has(name));
}
