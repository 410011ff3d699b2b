import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const dynamicPoolPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/dynamic-pools',
    component: laterPage(() => import('./dynamic-pools-page.tsx'), 'DynamicPoolsPage'),
    staticData: {
      title: 'Dynamic pools',
      navigation: { section: 'Domains and IPs', order: 8, label: 'Dynamic pools' },
    },
  }),
] as const;
