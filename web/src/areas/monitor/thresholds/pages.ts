import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const thresholdPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/thresholds',
    component: laterPage(() => import('./thresholds-page.tsx'), 'ThresholdsPage'),
    staticData: { title: 'Thresholds', navigation: { section: 'Monitor', order: 7, label: 'Thresholds' } },
  }),
] as const;
