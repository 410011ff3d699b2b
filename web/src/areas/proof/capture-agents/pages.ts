import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const captureAgentsPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/capture-agents',
    component: laterPage(() => import('./agents-page.tsx'), 'AgentsPage'),
    staticData: { title: 'Capture agents', navigation: { section: 'Settings', order: 8, label: 'Capture agents' } },
  }),
] as const;
