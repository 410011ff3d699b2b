import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const mailboxPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/mailboxes',
    component: laterPage(() => import('./mailboxes-page.tsx'), 'MailboxesPage'),
    staticData: { title: 'Seed mailboxes', navigation: { section: 'Proof', order: 4, label: 'Seed mailboxes' } },
  }),
] as const;
