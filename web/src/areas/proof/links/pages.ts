import { createRoute } from '@tanstack/react-router';
import { laterPage } from '../../../ground/routes.ts';
import { report } from '../../../shared/proof/preview-routes.ts';

/** Of one preview test. */
export const linksPages = [
  createRoute({
    getParentRoute: () => report,
    path: '/links',
    component: laterPage(() => import('./links-page.tsx'), 'LinksPage'),
    staticData: { title: 'Links' },
  }),
] as const;
