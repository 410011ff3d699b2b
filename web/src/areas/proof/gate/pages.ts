import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';
import { readPageSearch } from '../../../shared/mail/page-search.ts';
import { readNewGateSearch, readPictureSearch, readRunSearch } from './gate-search.ts';

export const gatePages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/gate',
    component: laterPage(() => import('./gates-page.tsx'), 'GatesPage'),
    validateSearch: readPageSearch,
    staticData: {
      title: 'Gate',
      needs: [{ of: 'Failed gates', order: 2, load: async () => (await import('./failed-gates.ts')).failedGates }],
      navigation: {
        section: 'Proof',
        order: 2,
        label: 'Gate',
        key: 'g',
        newTest: { to: '/gate/new', label: 'New gate run', what: 'Gate run' },
      },
    },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/gate/new',
    component: laterPage(() => import('./new-gate-page.tsx'), 'NewGatePage'),
    validateSearch: readNewGateSearch,
    staticData: { title: 'New gate run' },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/gate/baselines',
    component: laterPage(() => import('./baselines-page.tsx'), 'BaselinesPage'),
    staticData: { title: 'Baselines' },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/gate/$gateId',
    component: laterPage(() => import('./gate-page.tsx'), 'GatePage'),
    validateSearch: readRunSearch,
    staticData: { title: 'Gate run' },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/gate/$gateId/client/$clientId',
    component: laterPage(() => import('./gate-client-page.tsx'), 'GateClientPage'),
    validateSearch: readPictureSearch,
    staticData: { title: 'Client', isWhole: true },
  }),
] as const;
