import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';
import { readStatisticsSearch } from './statistics-search.ts';

export const statisticsPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/statistics',
    component: laterPage(() => import('./statistics-page.tsx'), 'StatisticsPage'),
    validateSearch: readStatisticsSearch,
    staticData: { title: 'Statistics', navigation: { section: 'Send', order: 2.5, label: 'Statistics' } },
  }),
] as const;
