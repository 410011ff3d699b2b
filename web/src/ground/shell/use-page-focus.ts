import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** A new page takes the focus that went with the old one, unless it has a better place for it. */
export function usePageFocus(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged && document.activeElement === document.body)
          document.getElementById('content')?.focus({ preventScroll: true });
      }),
    [router],
  );
}
