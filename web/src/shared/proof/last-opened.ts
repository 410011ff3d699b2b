// Remembers which client was opened last, so that a returning reader finds the place again.

let lastOpened: string | undefined;

export function rememberOpened(clientId: string): void {
  lastOpened = clientId;
}

/** Focuses the card of the client that was opened last, once. */
export function focusLastOpened(): void {
  if (lastOpened !== undefined)
    document.querySelector<HTMLElement>(`a[data-client="${CSS.escape(lastOpened)}"]`)?.focus({ preventScroll: true });
  lastOpened = undefined;
}
