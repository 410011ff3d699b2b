import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const schedulesPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/schedules',
    component: laterPage(() => import('./schedules-page.tsx'), 'SchedulesPage'),
    staticData: {
      title: 'Schedules',
      navigation: { section: 'Automate', order: 1, label: 'Schedules' },
    },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/schedules/$scheduleId',
    component: laterPage(() => import('./schedule-page.tsx'), 'SchedulePage'),
    staticData: { title: 'Schedule' },
  }),
] as const;
