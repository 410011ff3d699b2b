import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';
import { readCompareSearch, readListSearch, readTemplateSearch } from './templates-search.ts';

export const templatePages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/templates',
    component: laterPage(() => import('./templates-page.tsx'), 'TemplatesPage'),
    validateSearch: readListSearch,
    staticData: { title: 'Templates', navigation: { section: 'Content', order: 2.8, label: 'Templates' } },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/templates/$name',
    component: laterPage(() => import('./template-page.tsx'), 'TemplatePage'),
    validateSearch: readTemplateSearch,
    staticData: { title: 'Template', namedBy: 'name' },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/templates/$name/compare',
    component: laterPage(() => import('./compare-versions-page.tsx'), 'CompareVersionsPage'),
    validateSearch: readCompareSearch,
    staticData: { title: 'Versions of a template', isWhole: true },
  }),
] as const;
