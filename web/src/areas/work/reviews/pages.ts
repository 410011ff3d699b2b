import { createRoute } from '@tanstack/react-router';
import { laterPage, root } from '../../../ground/routes.ts';

/** Open to whoever has the link: its token stands behind the `#`. */
export const reviewsPages = [
  createRoute({
    getParentRoute: () => root,
    path: '/review',
    component: laterPage(() => import('./review-page.tsx'), 'ReviewPage'),
    staticData: { title: 'Review' },
  }),
] as const;
