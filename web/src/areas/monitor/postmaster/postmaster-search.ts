// What the address of the page of postmaster data remembers.

export const PROVIDERS = ['google', 'yahoo', 'snds'] as const;
export type Provider = (typeof PROVIDERS)[number];

export const PROVIDER_LABELS: Readonly<Record<Provider, string>> = {
  google: 'Google',
  yahoo: 'Yahoo',
  snds: 'Microsoft SNDS',
};

/** Days back from today that may be looked at; the first is the default. */
export const RANGES = [30, 90] as const;

export interface PostmasterSearch {
  provider?: Provider;
  /** A domain, or an address of SNDS. */
  of?: string;
  days?: number;
}

export function readPostmasterSearch({ provider, of, days }: Record<string, unknown>): PostmasterSearch {
  const given = PROVIDERS.find((one) => one === provider && one !== 'google');
  const range = RANGES.find((one) => one === Number(days) && one !== RANGES[0]);
  return {
    ...(given && { provider: given }),
    ...(typeof of === 'string' && of !== '' && { of }),
    ...(range && { days: range }),
  };
}
