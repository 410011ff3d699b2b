import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';
import { readHeldSearch } from './held-search.ts';

export const heldPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/held',
    component: laterPage(() => import('./held-page.tsx'), 'HeldPage'),
    validateSearch: readHeldSearch,
    staticData: {
      title: 'Held messages',
      navigation: { section: 'Send', order: 2.2, label: 'Held messages' },
      needs: [{ of: 'Held messages', order: 1, load: async () => (await import('./held.ts')).held }],
    },
  }),
] as const;
