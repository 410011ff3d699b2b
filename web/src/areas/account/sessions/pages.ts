import { createRoute } from '@tanstack/react-router';
import { laterPage, root } from '../../../ground/routes.ts';

/** Open to everyone. */
export const sessionPages = [
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    component: laterPage(() => import('./sign-in-page.tsx'), 'SignInPage'),
    validateSearch: ({ from }: Record<string, unknown>): { from?: string } =>
      typeof from === 'string' ? { from } : {},
    staticData: { title: 'Sign in' },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in/sso',
    component: laterPage(() => import('./sso-page.tsx'), 'SsoPage'),
    staticData: { title: 'Sign in' },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/welcome',
    component: laterPage(() => import('./welcome-page.tsx'), 'WelcomePage'),
    staticData: { title: 'Welcome' },
  }),
] as const;
