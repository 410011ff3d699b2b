import { useNavigate, useSearch } from '@tanstack/react-router';
import type { CompareSearch, ProofSearch } from './proof-search.ts';

type Search = ProofSearch & CompareSearch;

/** What the address remembers, and how to change it. Changes don't fill the history. */
export function useProofSearch(): [Search, (changes: { [Name in keyof Search]?: Search[Name] | undefined }) => void] {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  return [
    search,
    (changes) => {
      const next = (before: object): object =>
        Object.fromEntries(
          Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined && value !== ''),
        );
      void navigate({ to: '.', search: next as never, replace: true, resetScroll: false });
    },
  ];
}
