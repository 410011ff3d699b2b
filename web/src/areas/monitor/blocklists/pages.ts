import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

/** What the address of the page remembers. */
interface BlocklistsSearch {
  asset?: string;
}

export const blocklistPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/blocklists',
    component: laterPage(() => import('./blocklists-page.tsx'), 'BlocklistsPage'),
    validateSearch: ({ asset }: Record<string, unknown>): BlocklistsSearch =>
      typeof asset === 'string' && asset !== '' ? { asset } : {},
    staticData: {
      title: 'Blocklists',
      navigation: { section: 'Monitor', order: 2, label: 'Blocklists' },
      needs: [{ of: 'On blocklists', order: 5, load: async () => (await import('./listed.ts')).listed }],
    },
  }),
] as const;
