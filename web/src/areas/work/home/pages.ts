import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const homePages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/',
    component: laterPage(() => import('./home-page.tsx'), 'HomePage'),
    staticData: {
      title: 'Home',
      navigation: {
        section: 'Start',
        order: 1,
        label: 'Home',
        key: 'h',
        newTest: { to: '/new', label: 'New test', what: 'Preview test' },
      },
    },
  }),
] as const;
