import { createRoute } from '@tanstack/react-router';
import { laterPage } from '../../../ground/routes.ts';
import { report } from '../../../shared/proof/preview-routes.ts';

/** Of one preview test. */
export const codePages = [
  createRoute({
    getParentRoute: () => report,
    path: '/code',
    component: laterPage(() => import('./code-page.tsx'), 'CodePage'),
    staticData: { title: 'Code' },
  }),
] as const;
