// The router: what stands around the pages.
import type { QueryClient } from '@tanstack/react-query';
import { createRouter, Outlet, redirect } from '@tanstack/react-router';
import { sessionQuery, statusOf } from './ground/api.ts';
import { root, shell, type RouterContext } from './ground/routes.ts';
import { RouteFailure } from './ground/shell/failure.tsx';
import { NoSuchPage, NothingHere } from './ground/shell/no-such-page.tsx';
import { Shell } from './ground/shell/shell.tsx';
import { pages } from './pages.ts';

root.update({ component: Outlet, notFoundComponent: NoSuchPage });
shell.update({ component: Shell });

function contextOf(queryClient: QueryClient): RouterContext {
  return {
    queryClient,
    async admit({ pathname, href }) {
      try {
        await queryClient.ensureQueryData(sessionQuery);
      } catch (error) {
        if (statusOf(error) !== 401) throw error;
        throw redirect({ to: '/sign-in', search: pathname === '/' ? {} : { from: href }, replace: true });
      }
    },
  };
}

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: pages,
    context: contextOf(queryClient),
    scrollRestoration: true,
    // All pictures of a test lie where they were left, whichever way the reader comes back to them.
    getScrollRestorationKey: ({ pathname, state }) =>
      /^\/(?:previews|share)\//.test(pathname) ? pathname : (state.__TSR_key ?? pathname),
    defaultPreload: 'intent',
    defaultErrorComponent: RouteFailure,
    defaultNotFoundComponent: NothingHere,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
