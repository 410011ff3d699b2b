import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const ipAllowlistPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/ip-allowlist',
    component: laterPage(() => import('./ip-allowlist-page.tsx'), 'IpAllowlistPage'),
    staticData: { title: 'IP allowlist', navigation: { section: 'Settings', order: 5, label: 'IP allowlist' } },
  }),
] as const;
