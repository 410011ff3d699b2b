import { createRouter } from '@tanstack/react-router';
import { pages } from './pages.ts';

const { routesByPath } = createRouter({ routeTree: pages, context: undefined as never });

/** Of every page, with `$name` for what varies. */
export const PAGE_PATHS: readonly string[] = Object.keys(routesByPath)
  .map((path) => (path === '/' ? path : path.replace(/\/$/, '')))
  .toSorted();
