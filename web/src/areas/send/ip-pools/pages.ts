import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const ipPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/ips',
    component: laterPage(() => import('./ips-page.tsx'), 'IpsPage'),
    staticData: {
      title: 'IPs and pools',
      navigation: { section: 'Domains and IPs', order: 6, label: 'IPs and pools' },
    },
  }),
] as const;
