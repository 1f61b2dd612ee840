import { type RefObject, useEffect, useRef } from 'react';
import { tryStorage } from './storage.ts';

const stored = 'single-keys';
let chosen: boolean | undefined;

/** Whether keys without Ctrl or Cmd work as shortcuts. People who use speech input switch them off (WCAG 2.1.4). */
export function singleKeysAreOn(): boolean {
  return chosen ?? tryStorage(() => localStorage.getItem(stored)) !== 'off';
}

/** Remembered on this device; without storage, until the page is reloaded. */
export function switchSingleKeys(on: boolean): void {
  chosen = on;
  tryStorage(() => (on ? localStorage.removeItem(stored) : localStorage.setItem(stored, 'off')));
}

/** Whether a press of a plain key is meant as a shortcut: not while the person types, nor under an open dialog. */
export function isSingleKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return false;
  return !isTyping(event.target) && !dialogIsOpen() && singleKeysAreOn();
}

export function dialogIsOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
}

/** Whether a key that is pressed there is text. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

/** Calls `onKey` for every key that is pressed on the page. Listeners run in the order in which their components appeared. */
export function useKeydown(onKey: (event: KeyboardEvent) => void): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const listener = (event: KeyboardEvent) => latest.current(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

/** Lets '/' move the focus to a screen's search field, unless the person is typing or a dialog is open. */
export function useSearchKey(field: RefObject<HTMLInputElement | null>): void {
  useKeydown((event) => {
    if (event.key !== '/' || !isSingleKey(event)) return;
    event.preventDefault();
    field.current?.focus();
    field.current?.select();
  });
}

/** For `onKeyDown`: an Enter that is held presses a button, or sends a form, once and not thirty times a second. */
export function pressOnce(event: Pick<KeyboardEvent, 'key' | 'repeat' | 'preventDefault'>): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault();
}
