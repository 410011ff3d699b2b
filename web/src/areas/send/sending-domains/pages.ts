import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const domainPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/domains',
    component: laterPage(() => import('./domains-page.tsx'), 'DomainsPage'),
    staticData: {
      title: 'Sending domains',
      needs: [
        {
          of: 'Domains that do not verify',
          order: 4,
          load: async () => (await import('./unverified-domains.ts')).unverifiedDomains,
        },
      ],
      navigation: {
        section: 'Domains and IPs',
        order: 4,
        label: 'Domains',
        newTest: { to: '/placement/new', label: 'New test', what: 'Placement test' },
      },
      find: { of: 'Domains', load: async () => (await import('./find-domains.ts')).findDomains },
    },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/domains/$domain',
    component: laterPage(() => import('./domain-page.tsx'), 'DomainPage'),
    staticData: { title: 'Sending domain', namedBy: 'domain' },
  }),
] as const;
