import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';
import { readSuppressionsSearch } from './suppressions-search.ts';

export const suppressionPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/suppressions',
    component: laterPage(() => import('./suppressions-page.tsx'), 'SuppressionsPage'),
    validateSearch: readSuppressionsSearch,
    staticData: { title: 'Suppressions', navigation: { section: 'Send', order: 3, label: 'Suppressions' } },
  }),
] as const;
