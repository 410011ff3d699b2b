import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const usersPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/users',
    component: laterPage(() => import('./users-page.tsx'), 'UsersPage'),
    staticData: { title: 'Users', navigation: { section: 'Settings', order: 4, label: 'Users' } },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/your-account',
    component: laterPage(() => import('./own/own-account-page.tsx'), 'OwnAccountPage'),
    staticData: { title: 'Your account', navigation: { section: 'Settings', order: 7, label: 'Your account' } },
  }),
] as const;
