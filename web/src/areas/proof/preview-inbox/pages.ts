import { createRoute } from '@tanstack/react-router';
import { laterPage } from '../../../ground/routes.ts';
import { report } from '../../../shared/proof/preview-routes.ts';

/** Of one preview test. */
export const inboxPages = [
  createRoute({
    getParentRoute: () => report,
    path: '/inbox',
    component: laterPage(() => import('./inbox-page.tsx'), 'InboxPage'),
    staticData: { title: 'Inbox' },
  }),
] as const;
