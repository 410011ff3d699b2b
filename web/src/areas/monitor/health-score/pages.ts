import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const healthPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/reputation',
    component: laterPage(() => import('./reputation-page.tsx'), 'ReputationPage'),
    staticData: { title: 'Reputation', navigation: { section: 'Monitor', order: 3, label: 'Reputation' } },
  }),
] as const;
