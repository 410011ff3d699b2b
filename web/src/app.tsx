import { MantineProvider } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { isPassing, retryAfterOf, statusOf } from './ground/api.ts';
import { createAppRouter } from './router.tsx';
import { useWaiting } from './ground/shell/ask.ts';
import './ground/shell/focus-return.ts';
import { laterPart } from './ground/shell/later-part.tsx';
import { retryFailures } from './ground/shell/retries.ts';
import { cssVariablesResolver, theme } from './ground/theme.ts';

const Later = laterPart(async () => (await import('./ground/shell/later.tsx')).Later);

/** Mounted when a page first asks or tells something. */
function OnDemand() {
  const waiting = useWaiting();
  const [isNeeded, setNeeded] = useState(false);
  if (waiting > 0 && !isNeeded) setNeeded(true);
  return isNeeded ? (
    <Suspense>
      <Later />
    </Suspense>
  ) : null;
}

const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: onLost }),
  mutationCache: new MutationCache({ onError: onLost }),
  defaultOptions: {
    // Asked whatever the browser thinks of its network: a failure is told, and tried again by shell/retries.ts. A blip
    // isn't told.
    queries: {
      networkMode: 'always',
      retry: (failures, error) => failures < 1 && isPassing(error) && retryAfterOf(error) === undefined,
      retryDelay: 300,
      staleTime: 2000,
    },
    mutations: { networkMode: 'always' },
  },
});
const router = createAppRouter(queryClient);
retryFailures(queryClient);

/** A session that ended leads back to the sign-in page, and from there to where the reader was. */
function onLost(error: unknown): void {
  const { pathname, href } = router.state.location;
  const isPublic = /^\/(?:sign-in(?:\/sso)?$|review$|share(?:d-placement)?\/)/.test(pathname);
  if (statusOf(error) !== 401 || isPublic) return;
  queryClient.removeQueries({ queryKey: ['session'] });
  void router.navigate({ to: '/sign-in', search: { from: href }, replace: true });
}

export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <OnDemand />
      </QueryClientProvider>
    </MantineProvider>
  );
}
