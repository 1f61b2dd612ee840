/** How long to wait for a dialog to close or a button to be enabled again, in milliseconds. */
const timeoutMs = 3000;

/**
 * Moves the focus to the element that `find` returns, after the focused element was removed. Waits until the element
 * exists and no dialog is open, because a closing dialog returns the focus to the element that opened it. Looks again
 * in the next frame, because the element may be replaced when the change appears on the screen.
 */
export function restoreFocus(find: () => HTMLElement | null | undefined): void {
  const start = performance.now();
  let wasFocused = false;
  const attempt = () => {
    if (wasFocused && document.activeElement !== document.body) return;
    const isOpen = document.querySelector('[role="dialog"]') !== null;
    wasFocused = !isOpen && focusOn(find());
    if (wasFocused || performance.now() - start < timeoutMs) requestAnimationFrame(attempt);
  };
  requestAnimationFrame(attempt);
}

/** Moves the focus to any element. @returns whether the element has the focus afterwards */
export function focusOn(element: HTMLElement | null | undefined, options?: FocusOptions): boolean {
  if (!element) return false;
  // Elements such as headings are focusable only with a tabindex.
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) element.setAttribute('tabindex', '-1');
  element.focus(options);
  return document.activeElement === element;
}

/**
 * Finds out which element takes the focus once the row around an element is removed: the row after it, or before it,
 * or else the heading of its part of the page. Returns a function that moves the focus there.
 */
export function prepareFocusNearby(element: HTMLElement | null): () => void {
  const row = element?.closest('li, tr');
  const neighbor = row?.nextElementSibling ?? row?.previousElementSibling;
  const heading = row?.closest('[role="tabpanel"], section, main')?.querySelector('h1, h2');
  return () =>
    restoreFocus(() => {
      const left = [neighbor, heading].find((one) => one?.isConnected);
      return left instanceof HTMLElement ? left : document.getElementById('main');
    });
}
