import { checkReverseDns } from '../mail-authentication/index.ts';

/** How a DNS question is asked; see `AuthDns` of the engine mail-authentication. */
type Ask = (name: string, type: 'A' | 'AAAA' | 'PTR') => Promise<unknown[]>;

const AT_ONCE = 16;

/**
 * The names of addresses, as far as they lead back: anybody can give his address the name of another. Null: it has no
 * such name. Missing in the answer: DNS did not say.
 */
export async function nameAddresses(ask: Ask, addresses: readonly string[]): Promise<Map<string, string | null>> {
  const names = new Map<string, string | null>();
  const waiting = [...addresses];
  const resolver = (name: string, type: string): Promise<string[]> =>
    ask(name, type as 'A' | 'AAAA' | 'PTR') as Promise<string[]>;
  const lane = async (): Promise<void> => {
    for (let ip = waiting.pop(); ip !== undefined; ip = waiting.pop()) {
      const { result, confirmedName } = await checkReverseDns({ ip, helo: '' }, resolver);
      if (result !== 'temperror') names.set(ip, confirmedName);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return names;
}
