import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';
import { readClientsSearch } from './clients-search.ts';

export const clientsPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/clients',
    component: laterPage(() => import('./clients-page.tsx'), 'ClientsPage'),
    validateSearch: readClientsSearch,
    staticData: { title: 'Clients', navigation: { section: 'Proof', order: 3, label: 'Clients' } },
  }),
] as const;
