import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';
import { readBouncesSearch } from './bounces-search.ts';

export const bouncePages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/bounces',
    component: laterPage(() => import('./bounces-page.tsx'), 'BouncesPage'),
    validateSearch: readBouncesSearch,
    staticData: { title: 'Bounces', navigation: { section: 'Send', order: 3, label: 'Bounces' } },
  }),
] as const;
