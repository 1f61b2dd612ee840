/** How long a dialog may take to fade away, or a button to be in use again, in milliseconds. */
const timeoutMs = 3000;

/**
 * Puts the focus where it belongs after what had it went away: on what `find` gives once the screen is drawn anew and no
 * dialog is left, which would give the focus back to what opened it.
 */
export function restoreFocus(find: () => HTMLElement | null | undefined): void {
  const start = performance.now();
  const attempt = () => {
    const isOpen = document.querySelector('[role="dialog"]') !== null;
    if (!isOpen && focusOn(find())) return;
    if (performance.now() - start < timeoutMs) requestAnimationFrame(attempt);
  };
  requestAnimationFrame(attempt);
}

/** @returns whether it has the focus */
function focusOn(element: HTMLElement | null | undefined): boolean {
  if (!element) return false;
  // A heading takes the focus only when it is told so.
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) element.setAttribute('tabindex', '-1');
  element.focus();
  return document.activeElement === element;
}
