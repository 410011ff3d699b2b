// Where the focus was before a dialog took it, and how it gets back there.
import { useEffect, useRef } from 'react';

/** What was pressed last, until a key is: Safari gives no focus to a button that is clicked. */
let pressed: HTMLElement | null = null;

/** An item is gone when its menu has closed; what opened the menu stays. */
function lastingOf(element: Element | null): HTMLElement | null {
  const label = element?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const lasting = label ? document.getElementById(label) : element;
  return lasting instanceof HTMLElement && lasting !== document.body ? lasting : null;
}

document.addEventListener(
  'click',
  ({ target }) => {
    pressed =
      target instanceof Element ? lastingOf(target.closest('a, button, input, [role=menuitem], [tabindex]')) : null;
  },
  true,
);
document.addEventListener(
  'keydown',
  () => {
    pressed = null;
  },
  true,
);

/** Later than what else gives the focus back when something closes. */
const NOWHERE_MS = 50;
let focused: Element | null = null;

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function focusContent(): void {
  if (isNowhere()) document.getElementById('content')?.focus({ preventScroll: true });
}

// The focused element may disappear, such as a deleted row: keyboard users then continue at the page's content.
document.addEventListener('focusin', ({ target }) => {
  focused = target instanceof Element ? target : null;
});
new MutationObserver(() => {
  if (!focused || focused.isConnected) return;
  focused = null;
  setTimeout(focusContent, NOWHERE_MS);
}).observe(document.body, { childList: true, subtree: true });

/**
 * Gives the focus back to what opened this, when this is gone and nothing else has taken the focus;
 * to the page's content where that is gone too. A component that is shown only while it is open calls it.
 */
export function useFocusReturn(): void {
  const opener = useRef<HTMLElement | null>(null);
  opener.current ??= pressed ?? lastingOf(document.activeElement);
  useEffect(
    () => () => {
      if (!isNowhere()) return;
      if (opener.current?.isConnected) opener.current.focus({ preventScroll: true });
      else focusContent();
    },
    [],
  );
}
