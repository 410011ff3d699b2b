import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const accountPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/subaccounts',
    component: laterPage(() => import('./subaccounts-page.tsx'), 'SubaccountsPage'),
    staticData: { title: 'Subaccounts', navigation: { section: 'Settings', order: 2, label: 'Subaccounts' } },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/account',
    component: laterPage(() => import('./account-page.tsx'), 'AccountPage'),
    staticData: { title: 'Account', navigation: { section: 'Settings', order: 1, label: 'Account' } },
  }),
] as const;
