import { createRoute } from '@tanstack/react-router';
import { laterPage, root } from '../../../ground/routes.ts';
import { readCompareSearch, readProofSearch } from '../../../shared/proof/proof-search.ts';

/** Open to everyone who has the link. */
export const share = createRoute({
  getParentRoute: () => root,
  path: '/share/$uuid',
  component: laterPage(() => import('./share-layout.tsx'), 'ShareLayout'),
  validateSearch: readProofSearch,
});

export const sharePages = [
  createRoute({
    getParentRoute: () => share,
    path: '/',
    component: laterPage(() => import('./share-page.tsx'), 'SharePage'),
    staticData: { title: 'Shared test' },
  }),
  createRoute({
    getParentRoute: () => share,
    path: '/client/$clientId',
    component: laterPage(() => import('../../../shared/client-view/client-view-page.tsx'), 'ClientViewPage'),
    staticData: { title: 'Client' },
  }),
  createRoute({
    getParentRoute: () => share,
    path: '/compare',
    component: laterPage(() => import('../../../shared/compare/compare-page.tsx'), 'ComparePage'),
    validateSearch: readCompareSearch,
    staticData: { title: 'Compare' },
  }),
] as const;
