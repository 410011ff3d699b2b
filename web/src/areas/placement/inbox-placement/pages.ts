import { createRoute } from '@tanstack/react-router';
import { laterPage, root, shell } from '../../../ground/routes.ts';
import { readPageSearch } from '../../../shared/mail/page-search.ts';
import { readNewSearch, readResultsSearch } from './placement-search.ts';

export const placementPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/placement',
    component: laterPage(() => import('./placement-page.tsx'), 'PlacementPage'),
    validateSearch: readResultsSearch,
    staticData: {
      title: 'Inbox placement',
      needs: [
        {
          of: 'Placement tests under way',
          order: 12,
          load: async () => (await import('./running-results.ts')).runningResults,
        },
      ],
      navigation: {
        section: 'Proof',
        order: 2.4,
        label: 'Placement',
        key: 'p',
        newTest: { to: '/placement/new', label: 'New test', what: 'Placement test' },
      },
      find: { of: 'Placement tests', load: async () => (await import('./find-results.ts')).findResults },
    },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/placement/new',
    component: laterPage(() => import('./new-placement-page.tsx'), 'NewPlacementPage'),
    validateSearch: readNewSearch,
    staticData: { title: 'New placement test' },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/placement/$resultId',
    component: laterPage(() => import('./result-page.tsx'), 'ResultPage'),
    staticData: { title: 'Inbox placement' },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/placement/lists',
    component: laterPage(() => import('./seed-lists-page.tsx'), 'SeedListsPage'),
    validateSearch: readPageSearch,
    staticData: { title: 'Seed lists' },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/placement/lists/$address',
    component: laterPage(() => import('./seed-list-page.tsx'), 'SeedListPage'),
    staticData: { title: 'Seed list' },
  }),
] as const;

/** Open to everyone who has the link. */
export const sharedPlacementPages = [
  createRoute({
    getParentRoute: () => root,
    path: '/shared-placement/$shareId',
    component: laterPage(() => import('./shared-result-page.tsx'), 'SharedResultPage'),
    staticData: { title: 'Inbox placement' },
  }),
] as const;
