const stored = 'single-keys';
let chosen: boolean | undefined;

/** Whether keys without Ctrl or Cmd do something. Who speaks to the computer, or slips often, switches them off (WCAG 2.1.4). */
export function singleKeysAreOn(): boolean {
  if (chosen !== undefined) return chosen;
  try {
    return localStorage.getItem(stored) !== 'off';
  } catch {
    return true;
  }
}

/** Remembered on this device; where storage is switched off, as long as the page stands. */
export function switchSingleKeys(on: boolean): void {
  chosen = on;
  try {
    if (on) localStorage.removeItem(stored);
    else localStorage.setItem(stored, 'off');
  } catch {
    // `chosen` has it.
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
