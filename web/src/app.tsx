import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { statusOf } from './api.ts';
import { createAppRouter } from './router.tsx';
import { cssVariablesResolver, theme } from './theme.ts';

const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: onLost }),
  defaultOptions: {
    queries: { retry: (failures, error) => statusOf(error) === undefined && failures < 2, staleTime: 2000 },
  },
});
const router = createAppRouter(queryClient);

/** A session that ended leads back to the sign-in page, and from there to where the reader was. */
function onLost(error: unknown): void {
  const { pathname, href } = router.state.location;
  if (statusOf(error) !== 401 || pathname === '/sign-in' || pathname.startsWith('/share/')) return;
  queryClient.removeQueries({ queryKey: ['session'] });
  void router.navigate({ to: '/sign-in', search: { from: href }, replace: true });
}

export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          <Notifications position="bottom-right" autoClose={6000} />
          <RouterProvider router={router} />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
