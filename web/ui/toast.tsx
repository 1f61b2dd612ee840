import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react';
import { useIdlePart } from '../platform/use-idle-part.ts';
import styles from './toast.module.css';
import type { ShownToast } from './toast-viewport.tsx';

export type ToastText = Omit<ShownToast, 'id' | 'open'>;

/** How long a toast stays visible, in milliseconds. */
const toastDurationMs = 5000;

let current: ShownToast | undefined;
/** Toasts to show after the current one. */
let queue: ToastText[] = [];
/** Whether the user has clicked or pressed a key since the current toast appeared. */
let isRead = false;
const listeners = new Set<() => void>();

/**
 * Shows a toast for five seconds in place of the visible one. Can be called from anywhere. If the visible toast is
 * destructive and the user has not done anything since it appeared, the new toast waits until that one closes.
 */
export function toast(text: ToastText): void {
  const isUnread = current?.open && current.tone === 'destructive' && !isRead;
  if (isUnread && !isSame(current, text)) enqueue(text);
  else show(text);
}

export const toastSuccess = (title: string, description?: string) =>
  toast({ title, ...(description && { description }), tone: 'success' });

export const toastError = (title: string, description: string) => toast({ title, description, tone: 'destructive' });

/** Says what was done, with a button that takes it back. */
export function toastUndoable(title: string, description: string, undo: () => Promise<void>): void {
  const start = () => void undo().catch((error: Error) => toastError('Could Not Undo', error.message));
  toast({ title, description, tone: 'success', undo: start });
}

/** Shows a toast immediately and drops the visible and queued ones. For a toast that explains the earlier ones. */
export function replaceToasts(text: ToastText): void {
  queue = [];
  show(text);
}

/** Closes the visible toast and shows the next one in the queue. */
export function closeToast(): void {
  if (!current?.open) return;
  const next = queue.shift();
  if (next) {
    show(next);
    return;
  }
  current = { ...current, open: false };
  notifyListeners();
}

/** Adds a toast to the queue. Drops duplicates, and keeps only the last of several successes. */
function enqueue(text: ToastText): void {
  queue = queue.filter(
    (other) => !isSame(other, text) && (other.tone === 'destructive' || text.tone === 'destructive'),
  );
  queue.push(text);
}

function show(text: ToastText): void {
  current = { ...text, id: (current?.id ?? 0) + 1, open: true };
  isRead = false;
  notifyListeners();
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

function isSame(one: ToastText | undefined, other: ToastText): boolean {
  return one?.title === other.title && one.description === other.description;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Renders the toasts. Used once, for the whole site. */
export function Toaster() {
  const shown = useSyncExternalStore(
    subscribe,
    () => current,
    () => undefined,
  );
  useReadTracking();
  const viewport = useIdlePart(loadViewport, shown?.id);
  if (viewport === 'missing') return shown?.open && <PlainToast key={shown.id} shown={shown} />;
  return viewport && <viewport.part.ToastViewport shown={shown} durationMs={toastDurationMs} onClose={closeToast} />;
}

/**
 * Records whether the user has done something since the toast appeared: a click or key press counts, typing into a
 * field does not. Also makes the first Escape close only the toast, because closing a dialog with it would lose typed
 * text. This is a layout effect because dialogs listen on the window too, and this listener must be added first.
 */
function useReadTracking(): void {
  useLayoutEffect(() => {
    const onPress = () => {
      isRead = true;
    };
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      const element = target instanceof Element ? target : document.body;
      if (key === 'Enter' || !element.matches('input, textarea')) onPress();
      // Within the toast, Radix handles Escape, and dialogs ignore it because of the attribute.
      const isForDialog =
        document.querySelector('[role="dialog"]') && !element.closest('[data-mantine-stop-propagation]');
      if (key !== 'Escape' || event.isComposing || !current?.open || !isForDialog) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      closeToast();
    };
    addEventListener('pointerdown', onPress, true);
    addEventListener('keydown', onKey, true);
    return () => {
      removeEventListener('pointerdown', onPress, true);
      removeEventListener('keydown', onKey, true);
    };
  }, []);
}

const loadViewport = () => import('./toast-viewport.tsx');

/** A simple toast, shown if the viewport could not be loaded. */
function PlainToast({ shown: { title, description } }: { shown: ShownToast }) {
  useEffect(() => {
    const timer = setTimeout(closeToast, toastDurationMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <section aria-label="Notifications">
      <div role="alert" className={styles.plain}>
        <div>
          <b>{title}</b> {description}
        </div>
        <button type="button" aria-label="Close notification" onClick={closeToast}>
          ×
        </button>
      </div>
    </section>
  );
}
