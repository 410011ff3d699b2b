import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const auditPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/audit',
    component: laterPage(() => import('./audit-page.tsx'), 'AuditPage'),
    staticData: { title: 'Audit log', navigation: { section: 'Settings', order: 6, label: 'Audit log' } },
  }),
] as const;
