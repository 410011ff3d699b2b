import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';
import { readQueueSearch } from './queue-search.ts';

export const queuePages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/queue',
    component: laterPage(() => import('./queue-page.tsx'), 'QueuePage'),
    validateSearch: readQueueSearch,
    staticData: { title: 'Queue', navigation: { section: 'Send', order: 2, label: 'Queue' } },
  }),
] as const;
