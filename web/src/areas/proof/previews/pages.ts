import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';
import { readFindingsSearch } from '../../../shared/findings/findings-search.ts';
import { preview, report } from '../../../shared/proof/preview-routes.ts';
import { readCompareSearch } from '../../../shared/proof/proof-search.ts';
import { readTestsSearch } from './list/tests-search.ts';

const newTest = { to: '/new', label: 'New test', what: 'Preview test' };

export const previewsPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/',
    component: laterPage(() => import('../../../shared/home/home-page.tsx'), 'HomePage'),
    staticData: { title: 'Home', navigation: { section: 'Start', order: 1, label: 'Home', key: 'h', newTest } },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/previews',
    component: laterPage(() => import('./list/previews-page.tsx'), 'PreviewsPage'),
    validateSearch: readTestsSearch,
    staticData: {
      title: 'Tests',
      needs: [
        {
          of: 'Preview tests under way',
          order: 10,
          load: async () => (await import('./running-tests.ts')).runningTests,
        },
      ],
      navigation: {
        section: 'Proof',
        order: 1,
        label: 'Tests',
        key: 't',
        newTest,
      },
      find: { of: 'Preview tests', load: async () => (await import('./find-tests.ts')).findTests },
    },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/new',
    component: laterPage(() => import('./new/new-preview-page.tsx'), 'NewPreviewPage'),
    staticData: { title: 'New test' },
  }),
] as const;

preview.update({ component: laterPage(() => import('./test/preview-layout.tsx'), 'PreviewLayout') });
report.update({ component: laterPage(() => import('./test/report-layout.tsx'), 'ReportLayout') });

/** Of one test, with the tabs of its checks. */
export const previewReportPages = [
  createRoute({
    getParentRoute: () => report,
    path: '/',
    component: laterPage(() => import('./test/preview-page.tsx'), 'PreviewPage'),
    staticData: { title: 'Test' },
  }),
  createRoute({
    getParentRoute: () => report,
    path: '/findings',
    component: laterPage(() => import('./findings/findings-page.tsx'), 'FindingsPage'),
    validateSearch: readFindingsSearch,
    staticData: { title: 'Findings' },
  }),
] as const;

const clientView = laterPage(() => import('../../../shared/client-view/client-view-page.tsx'), 'ClientViewPage');
const comparison = laterPage(() => import('../../../shared/compare/compare-page.tsx'), 'ComparePage');

/** Of one test, without them. */
export const previewPages = [
  createRoute({
    getParentRoute: () => preview,
    path: '/client/$clientId',
    component: clientView,
    staticData: { title: 'Client', isWhole: true },
  }),
  createRoute({
    getParentRoute: () => preview,
    path: '/compare',
    component: comparison,
    validateSearch: readCompareSearch,
    staticData: { title: 'Compare', isWhole: true },
  }),
] as const;
