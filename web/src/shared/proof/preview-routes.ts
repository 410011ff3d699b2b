// The routes that the pages of one preview test stand under; `proof/previews` gives them their components.
import { createRoute } from '@tanstack/react-router';
import { shell } from '../../ground/routes.ts';
import { readProofSearch } from './proof-search.ts';

/** Everything about one test. */
export const preview = createRoute({
  getParentRoute: () => shell,
  path: '/previews/$testId',
  validateSearch: readProofSearch,
});

/** Its pages with the tabs of its checks. */
export const report = createRoute({ getParentRoute: () => preview, id: 'report' });
