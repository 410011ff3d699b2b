// Which client was looked at last, so that whoever returns finds their place again.

let lastOpened: string | undefined;

export function rememberOpened(clientId: string): void {
  lastOpened = clientId;
}

/** Puts the focus on the card of the client that was looked at last, once. */
export function focusLastOpened(): void {
  if (lastOpened !== undefined)
    document.querySelector<HTMLElement>(`a[data-client="${CSS.escape(lastOpened)}"]`)?.focus({ preventScroll: true });
  lastOpened = undefined;
}
