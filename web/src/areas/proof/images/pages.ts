import { createRoute } from '@tanstack/react-router';
import { laterPage } from '../../../ground/routes.ts';
import { report } from '../../../shared/proof/preview-routes.ts';

/** Of one preview test. */
export const imagesPages = [
  createRoute({
    getParentRoute: () => report,
    path: '/images',
    component: laterPage(() => import('./images-page.tsx'), 'ImagesPage'),
    staticData: { title: 'Images' },
  }),
] as const;
