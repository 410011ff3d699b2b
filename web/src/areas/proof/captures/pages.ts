import { createRoute } from '@tanstack/react-router';
import { laterPage, shell } from '../../../ground/routes.ts';
import { preview } from '../../../shared/proof/preview-routes.ts';
import { readCapturesSearch } from './captures-search.ts';

export const capturesPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/captures',
    component: laterPage(() => import('./captures-page.tsx'), 'CapturesPage'),
    validateSearch: readCapturesSearch,
    staticData: { title: 'Captures', navigation: { section: 'Proof', order: 3.5, label: 'Captures' } },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/captures/$captureId',
    component: laterPage(() => import('./capture-page.tsx'), 'CapturePage'),
    staticData: { title: 'Capture' },
  }),
] as const;

const oneText = (name: string) => (search: Record<string, unknown>) => {
  const value = search[name];
  return typeof value === 'string' && value !== '' ? { [name]: value } : {};
};

/** Of one preview test. */
export const capturesOfTestPages = [
  createRoute({
    getParentRoute: () => preview,
    path: '/captures/new',
    component: laterPage(() => import('./upload-page.tsx'), 'UploadPage'),
    validateSearch: oneText('client') as (search: Record<string, unknown>) => { client?: string },
    staticData: { title: 'My client shows this' },
  }),
  createRoute({
    getParentRoute: () => preview,
    path: '/client/$clientId/evidence',
    component: laterPage(() => import('./client-evidence-page.tsx'), 'ClientEvidencePage'),
    validateSearch: oneText('capture') as (search: Record<string, unknown>) => { capture?: string },
    staticData: { title: 'Evidence' },
  }),
] as const;
