import { type RefObject, useEffect } from 'react';

const stored = 'single-keys';
let chosen: boolean | undefined;

/** Whether keys without Ctrl or Cmd work as shortcuts. People who use speech input switch them off (WCAG 2.1.4). */
export function singleKeysAreOn(): boolean {
  if (chosen !== undefined) return chosen;
  try {
    return localStorage.getItem(stored) !== 'off';
  } catch {
    return true;
  }
}

/** Remembered on this device; without storage, until the page is reloaded. */
export function switchSingleKeys(on: boolean): void {
  chosen = on;
  try {
    if (on) localStorage.removeItem(stored);
    else localStorage.setItem(stored, 'off');
  } catch {
    // `chosen` remembers it.
  }
}

/** Whether a press of a plain key is meant as a shortcut: not while the person types, nor under an open dialog. */
export function isSingleKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return false;
  return !isTyping(event.target) && !dialogIsOpen() && singleKeysAreOn();
}

export function dialogIsOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

/** Lets '/' move the focus to a screen's search field, unless the person is typing or a dialog is open. */
export function useSearchKey(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || !isSingleKey(event)) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [field]);
}

/** For `onKeyDown`: an Enter that is held presses a button, or sends a form, once and not thirty times a second. */
export function pressOnce(event: Pick<KeyboardEvent, 'key' | 'repeat' | 'preventDefault'>): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault();
}
