import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';
import { readInboxSearch } from './inbox-search.ts';

export const sandboxPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/sandbox',
    component: laterPage(() => import('./sandbox-page.tsx'), 'SandboxPage'),
    staticData: { title: 'Sandbox', navigation: { section: 'Start', order: 3, label: 'Sandbox' } },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/sandbox/$inbox',
    component: laterPage(() => import('./inbox-page.tsx'), 'InboxPage'),
    validateSearch: readInboxSearch,
    staticData: { title: 'Inbox of the sandbox' },
  }),
] as const;
