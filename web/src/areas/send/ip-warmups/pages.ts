import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const warmupPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/ip-warmups',
    component: laterPage(() => import('./warmups-page.tsx'), 'WarmupsPage'),
    staticData: { title: 'IP warm-up', navigation: { section: 'Domains and IPs', order: 7, label: 'IP warm-up' } },
  }),
] as const;
