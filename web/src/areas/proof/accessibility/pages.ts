import { createRoute } from '@tanstack/react-router';
import { laterPage } from '../../../ground/routes.ts';
import { report } from '../../../shared/proof/preview-routes.ts';

/** Of one preview test. */
export const accessibilityPages = [
  createRoute({
    getParentRoute: () => report,
    path: '/accessibility',
    component: laterPage(() => import('./accessibility-page.tsx'), 'AccessibilityPage'),
    staticData: { title: 'Accessibility' },
  }),
] as const;
