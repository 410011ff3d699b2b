import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

/** What the address of the page remembers. */
interface DmarcSearch {
  domain?: string;
}

export const dmarcPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/dmarc',
    component: laterPage(() => import('./dmarc-page.tsx'), 'DmarcPage'),
    validateSearch: ({ domain }: Record<string, unknown>): DmarcSearch =>
      typeof domain === 'string' && domain !== '' ? { domain } : {},
    staticData: { title: 'DMARC', navigation: { section: 'Monitor', order: 5, label: 'DMARC' } },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/dmarc/$domain/$source',
    component: laterPage(() => import('./source-page.tsx'), 'SourcePage'),
    staticData: { title: 'Source of mail' },
  }),
] as const;
