// Misspelled names of large mailbox providers, as data/typo-domains has them.
import providers from '../../../data/typo-domains/typo-domains.json' with { type: 'json' };

/** The day of the list. */
export const TYPOS_DATE = '2026-11-23';

/** The provider that is meant, by the name that was written. */
export const TYPO_DOMAINS: ReadonlyMap<string, string> = new Map(
  providers.flatMap(({ provider, typos }) => typos.map((typo) => [typo, provider] as const)),
);
