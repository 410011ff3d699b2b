import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';
import { readPartSearch, readSpamSearch } from './spam-search.ts';

export const spamPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/spam',
    component: laterPage(() => import('./spam-page.tsx'), 'SpamPage'),
    validateSearch: readSpamSearch,
    staticData: {
      title: 'Spam tests',
      needs: [
        {
          of: 'Spam tests under way',
          order: 11,
          load: async () => (await import('./running-spam-tests.ts')).runningSpamTests,
        },
      ],
      navigation: {
        section: 'Proof',
        order: 2.2,
        label: 'Spam',
        key: 's',
        newTest: { to: '/spam/new', label: 'New test', what: 'Spam test' },
      },
    },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/spam/new',
    component: laterPage(() => import('./new-spam-page.tsx'), 'NewSpamPage'),
    staticData: { title: 'New spam test' },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/spam/$spamTestId',
    component: laterPage(() => import('./spam-test-page.tsx'), 'SpamTestPage'),
    validateSearch: readPartSearch,
    staticData: { title: 'Spam test' },
  }),
] as const;
