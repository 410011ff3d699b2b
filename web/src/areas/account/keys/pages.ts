import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const keysPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/keys',
    component: laterPage(() => import('./keys-page.tsx'), 'KeysPage'),
    staticData: { title: 'Keys', navigation: { section: 'Settings', order: 3, label: 'Keys' } },
  }),
] as const;
