// What the address of the list of captures remembers.
import type { CapturesSearch, CaptureState } from '../../../shared/captures/captures-api.ts';
import { readPageSearch } from '../../../shared/mail/page-search.ts';

const STATES: readonly CaptureState[] = ['waiting', 'accepted', 'rejected'];

export function readCapturesSearch(search: Record<string, unknown>): CapturesSearch {
  const { client, accounts } = search;
  const state = STATES.find((one) => one === search['state']);
  return {
    ...(typeof client === 'string' && client !== '' && { client }),
    ...(state && { state }),
    ...(accounts === 'all' && { accounts }),
    ...readPageSearch(search),
  };
}
