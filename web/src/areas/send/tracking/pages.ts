import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const trackingPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/domains/$domain/tracking',
    component: laterPage(() => import('./tracking-page.tsx'), 'TrackingPage'),
    staticData: { title: 'Tracking' },
  }),
] as const;
