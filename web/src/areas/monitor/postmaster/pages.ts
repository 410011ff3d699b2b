import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';
import { readPostmasterSearch } from './postmaster-search.ts';

export const postmasterPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/postmaster',
    component: laterPage(() => import('./postmaster-page.tsx'), 'PostmasterPage'),
    validateSearch: readPostmasterSearch,
    staticData: { title: 'Postmaster data', navigation: { section: 'Monitor', order: 3.5, label: 'Postmaster' } },
  }),
] as const;
