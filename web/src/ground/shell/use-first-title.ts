import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Names a page in the browser's tab while it is loaded; once it is shown it may know better. */
export function useFirstTitle(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onBeforeLoad', ({ toLocation, pathChanged }) => {
        const title = pathChanged && router.matchRoutes(toLocation).at(-1)?.staticData.title;
        if (title) document.title = `${title} · Galley`;
      }),
    [router],
  );
}
