import { type RefObject, useEffect, useRef } from 'react';
import { tryStorage } from './storage.ts';

const storageKey = 'single-keys';
let chosen: boolean | undefined;

/** Whether keys without Ctrl or Cmd work as shortcuts. Users of speech input need to switch them off (WCAG 2.1.4). */
export function areSingleKeysEnabled(): boolean {
  return chosen ?? tryStorage(() => localStorage.getItem(storageKey)) !== 'off';
}

/** Saves the choice on this device, or until the page is reloaded if the browser blocks storage. */
export function setSingleKeysEnabled(on: boolean): void {
  chosen = on;
  tryStorage(() => (on ? localStorage.removeItem(storageKey) : localStorage.setItem(storageKey, 'off')));
}

/** Whether a key press is a single-key shortcut. False while the user types and while a dialog is open. */
export function isSingleKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return false;
  return !isTyping(event.target) && !isDialogOpen() && areSingleKeysEnabled();
}

export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
}

/** Whether `target` is an element that takes text input. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
  );
}

/** Calls `onKey` for every key press on the page. Listeners run in the order in which their components were mounted. */
export function useKeydown(onKey: (event: KeyboardEvent) => void): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const listener = (event: KeyboardEvent) => latest.current(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

/** Makes '/' move the focus to a screen's search field, unless the user is typing or a dialog is open. */
export function useSearchShortcut(field: RefObject<HTMLInputElement | null>): void {
  useKeydown((event) => {
    if (event.key !== '/' || !isSingleKey(event)) return;
    event.preventDefault();
    field.current?.focus();
    field.current?.select();
  });
}

/** An `onKeyDown` handler that ignores the repeats of a held Enter key, so that it submits a form only once. */
export function ignoreEnterRepeat(event: Pick<KeyboardEvent, 'key' | 'repeat' | 'preventDefault'>): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault();
}
