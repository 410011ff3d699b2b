import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const routePages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/routes',
    component: laterPage(() => import('./routes-page.tsx'), 'RoutesPage'),
    staticData: { title: 'Routes', navigation: { section: 'Automate', order: 3, label: 'Routes' } },
  }),
] as const;
