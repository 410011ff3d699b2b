import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';
import { readMessagesSearch } from './messages-search.ts';

export const messagePages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/messages',
    component: laterPage(() => import('./messages-page.tsx'), 'MessagesPage'),
    validateSearch: readMessagesSearch,
    staticData: {
      title: 'Messages',
      navigation: {
        section: 'Send',
        order: 1,
        label: 'Messages',
        newTest: { to: '/messages/new', label: 'Send a test', what: 'Test message' },
      },
    },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/messages/new',
    component: laterPage(() => import('./new-message-page.tsx'), 'NewMessagePage'),
    staticData: { title: 'Send a test message' },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/messages/$domain/$storageKey',
    component: laterPage(() => import('./message-page.tsx'), 'MessagePage'),
    validateSearch: ({ id }: Record<string, unknown>): { id?: string } =>
      typeof id === 'string' && id !== '' ? { id } : {},
    staticData: { title: 'Message' },
  }),
] as const;
