import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const webhookPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/webhooks',
    component: laterPage(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
    staticData: { title: 'Webhooks', navigation: { section: 'Automate', order: 2, label: 'Webhooks' } },
  }),
] as const;
