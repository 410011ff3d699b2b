import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';
import { readEmailSearch, readEmailsSearch, readNewSearch } from './emails-search.ts';

const newTest = { to: '/emails/new', label: 'New email', what: 'Email' };

export const emailsPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/emails',
    component: laterPage(() => import('./emails-page.tsx'), 'EmailsPage'),
    validateSearch: readEmailsSearch,
    staticData: {
      title: 'Emails',
      needs: [{ of: 'Reviews', order: 6, load: async () => (await import('./waiting-reviews.ts')).waitingReviews }],
      navigation: { section: 'Start', order: 2, label: 'Emails', newTest },
      find: { of: 'Emails', load: async () => (await import('./find-emails.ts')).findEmails },
    },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/emails/new',
    component: laterPage(() => import('./new-email-page.tsx'), 'NewEmailPage'),
    validateSearch: readNewSearch,
    staticData: { title: 'New email' },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/emails/$emailId',
    component: laterPage(() => import('./email-page.tsx'), 'EmailPage'),
    validateSearch: readEmailSearch,
    staticData: { title: 'Email' },
  }),
] as const;
