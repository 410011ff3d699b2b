import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';

export const validationPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/address-validation',
    component: laterPage(() => import('./validation-page.tsx'), 'ValidationPage'),
    staticData: {
      title: 'Address validation',
      navigation: { section: 'Content', order: 5.5, label: 'Validation' },
    },
  }),
] as const;
