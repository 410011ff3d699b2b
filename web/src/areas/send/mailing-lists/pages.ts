import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';
import { readListSearch, readListsSearch } from './lists-search.ts';

export const mailingListPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/lists',
    component: laterPage(() => import('./lists-page.tsx'), 'ListsPage'),
    validateSearch: readListsSearch,
    staticData: { title: 'Mailing lists', navigation: { section: 'Content', order: 2.9, label: 'Mailing lists' } },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/lists/$address',
    component: laterPage(() => import('./list-page.tsx'), 'ListPage'),
    validateSearch: readListSearch,
    staticData: { title: 'Mailing list' },
  }),
] as const;
