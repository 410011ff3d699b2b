import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const alertPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/monitor',
    component: laterPage(() => import('./overview-page.tsx'), 'OverviewPage'),
    staticData: { title: 'What needs you', navigation: { section: 'Monitor', order: 1, label: 'Overview' } },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/alerts',
    component: laterPage(() => import('./alerts-page.tsx'), 'AlertsPage'),
    staticData: {
      title: 'Alerts',
      navigation: { section: 'Monitor', order: 6, label: 'Alerts' },
      needs: [{ of: 'Open alerts', order: 3, load: async () => (await import('./open-alerts.ts')).openAlerts }],
    },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/alerts/slack',
    component: laterPage(() => import('./slack-page.tsx'), 'SlackPage'),
    staticData: { title: 'Slack' },
  }),
] as const;
