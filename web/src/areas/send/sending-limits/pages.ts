import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';
import { readRulesSearch } from './rules-search.ts';

export const rulesPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/sending-rules',
    component: laterPage(() => import('./rules-page.tsx'), 'RulesPage'),
    validateSearch: readRulesSearch,
    staticData: { title: 'Sending rules', navigation: { section: 'Send', order: 2.4, label: 'Sending rules' } },
  }),
] as const;
