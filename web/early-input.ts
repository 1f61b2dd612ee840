import type { SyntheticEvent } from 'react';

declare global {
  interface Window {
    /** Kept by public/first-paint.js until React has handled it. */
    earlyInput?: {
      /** The values of fields that the user changed, or whether they are checked. */
      changed: Map<EventTarget, string | boolean>;
      /** The last press of a button, a form or a shortcut. */
      press: Press | undefined;
      /** Whether the app has been started, so that React handles events on the parts that it has adopted. */
      isStarted: boolean;
      /** Whether the router sees that the user goes back. Until then, the page is loaded again. */
      isRouting: boolean;
      /** While the app repeats something, nothing is kept. */
      isRepeating: boolean;
      stop(): void;
    };
  }
}

type Press =
  | { kind: 'click' | 'submit'; control: HTMLElement; event: Event }
  | { kind: 'key'; event: KeyboardEvent /** Whether the browser must not handle it. */; isStopped: boolean };

/** How long after it a press is repeated, in milliseconds. */
const maxAgeMs = 30_000;
const intervalMs = 50;

const bubbling = { bubbles: true };

/** Whether React has handled the event that is being repeated. */
let isHandled = false;

/**
 * Forgets an event that React has handled. React calls no handler for a part of the page whose code is still loading,
 * not even this one of an element around it.
 */
export function forgetHandled({ nativeEvent, target }: SyntheticEvent): void {
  const early = window.earlyInput;
  if (!early) return;
  isHandled = true;
  if (early.isRepeating) return;
  // React can adopt the part of the page during the event, and reset the field before its handlers read it.
  if (early.changed.get(target) === readValue(target)) early.changed.delete(target);
  if (early.press?.event === nativeEvent) early.press = undefined;
}

/**
 * Tells the app what the user did before React had adopted that part of the page. The fields have kept their values.
 * Repeats it until React handles it, also that a field was left, and ends when the page is complete.
 */
export function repeatEarlyInput(): void {
  const early = window.earlyInput;
  if (!early) return;
  const repeat = (event: () => void): boolean => {
    isHandled = false;
    early.isRepeating = true;
    event();
    early.isRepeating = false;
    return isHandled;
  };
  let repeated: EventTarget[] = [];
  const timer = setInterval(() => {
    const hadChanges = early.changed.size > 0;
    // React has rendered the changes of the last time.
    for (const field of repeated) {
      if (field !== document.activeElement) repeat(() => field.dispatchEvent(new FocusEvent('focusout', bubbling)));
    }
    repeated = [];
    for (const [field, value] of early.changed) {
      const isLost = !(field instanceof HTMLElement && field.isConnected);
      const isRepeated = !isLost && repeat(() => repeatChange(field, value));
      if (isRepeated) repeated.push(field);
      if (isLost || isRepeated) early.changed.delete(field);
    }
    const isComplete = document.documentElement.hasAttribute('data-ready');
    const { press } = early;
    // React has rendered the changes by the next time. Any part of the page can handle a key.
    if (press && !hadChanges && (press.kind !== 'key' || isComplete)) {
      const isOld = performance.now() - press.event.timeStamp > maxAgeMs;
      const isOver = isOld || (press.kind === 'key' && press.event.defaultPrevented && !press.isStopped);
      if (isOver || repeat(() => repeatPress(press)) || press.kind === 'key') early.press = undefined;
      if (!early.press && press.kind !== 'key') press.control.removeAttribute('aria-busy');
    }
    if (early.press || early.changed.size > 0 || repeated.length > 0 || !isComplete) return;
    clearInterval(timer);
    early.stop();
  }, intervalMs);
}

function repeatPress(press: Press): void {
  if (press.kind === 'key') repeatKey(press.event);
  else if (press.kind === 'click') press.control.click();
  else if (press.control instanceof HTMLButtonElement) press.control.form?.requestSubmit(press.control);
}

/**
 * Enters the value again. React ignores an event if the field has the value that it knows, so it is first told another
 * one: React sees what is assigned to a field that it has adopted.
 */
function repeatChange(field: HTMLElement, value: string | boolean): void {
  // React adopts the part of the page with the field, if its code has loaded.
  field.dispatchEvent(new InputEvent('input', bubbling));
  if (!isHandled) return;
  if (typeof value === 'boolean') {
    Object.assign(field, { checked: !value });
    field.click();
    return;
  }
  const isSelect = field instanceof HTMLSelectElement;
  const text = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field : undefined;
  // React can have reset the value, and with it the caret. Some types of fields have none.
  const { selectionStart = null, selectionEnd = null } = text?.value === value ? text : {};
  if (text) text.value = `${value} `;
  setValue(field, value);
  field.dispatchEvent(isSelect ? new Event('change', bubbling) : new InputEvent('input', bubbling));
  if (selectionStart !== null) text?.setSelectionRange(selectionStart, selectionEnd);
}

function readValue(field: EventTarget): string | boolean | undefined {
  if (field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type)) return field.checked;
  return 'value' in field ? String(field.value) : undefined;
}

/** Sets the value as the user does: React does not see it. */
function setValue(field: HTMLElement, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
}

/** Repeats a shortcut, also for what is focused. */
function repeatKey({ key, code, ctrlKey, metaKey, shiftKey }: KeyboardEvent): void {
  const again = { key, code, ctrlKey, metaKey, shiftKey, bubbles: true, cancelable: true };
  (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', again));
}
