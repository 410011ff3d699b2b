import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const trapPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/traps',
    component: laterPage(() => import('./traps-page.tsx'), 'TrapsPage'),
    staticData: { title: 'Traps', navigation: { section: 'Monitor', order: 4, label: 'Traps' } },
  }),
] as const;
