import { type ComponentType, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import classes from './toast-viewport.module.css';

export interface ToastText {
  title: string;
  description?: string;
  tone: 'success' | 'destructive';
}

export interface ShownToast extends ToastText {
  id: number;
  open: boolean;
}

/** Milliseconds that a message stays. */
export const toastDurationMs = 5000;

let current: ShownToast | undefined;
/** What is shown after the current message. */
let waiting: ToastText[] = [];
/** Whether the person has pressed something since the current message appeared. */
let isRead = false;
const listeners = new Set<() => void>();

/**
 * Shows a message for five seconds in place of the one that is visible. Callable from anywhere. A destructive one gives way only to
 * the result of something that was pressed after it appeared; anything else waits for its end.
 */
export function toast(text: ToastText): void {
  const isUnread = current?.open && current.tone === 'destructive' && !isRead;
  if (isUnread && !isSame(current, text)) enqueue(text);
  else show(text);
}

export const toastSuccess = (title: string, description?: string) =>
  toast({ title, ...(description && { description }), tone: 'success' });

export const toastError = (title: string, description: string) => toast({ title, description, tone: 'destructive' });

/** Shows a message that explains the ones before it, and drops those that still wait. */
export function replaceToasts(text: ToastText): void {
  waiting = [];
  show(text);
}

/** Closes the visible message; the next one takes its place. */
export function closeToast(): void {
  if (!current?.open) return;
  const next = waiting.shift();
  if (next) {
    show(next);
    return;
  }
  current = { ...current, open: false };
  notifyListeners();
}

/** Each refusal is shown once; of several successes the last is enough. */
function enqueue(text: ToastText): void {
  waiting = waiting.filter(
    (other) => !isSame(other, text) && (other.tone === 'destructive' || text.tone === 'destructive'),
  );
  waiting.push(text);
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

/** The place of the toasts; one for the whole site. */
export function Toaster() {
  const shown = useSyncExternalStore(
    subscribe,
    () => current,
    () => undefined,
  );
  useReading();
  const viewport = useViewport(shown?.id);
  if (viewport === 'missing') return shown?.open && <PlainToast key={shown.id} shown={shown} />;
  return viewport && <viewport.Component shown={shown} />;
}

/**
 * Notices what a person does after a message has appeared: writing on is no reaction to it, sending is. And lets the first Escape
 * close the message alone, where a dialog would close with it and lose what was typed. A layout effect: the dialogs listen on
 * the window too, and this listener must come first.
 */
function useReading(): void {
  useLayoutEffect(() => {
    const onPress = () => {
      isRead = true;
    };
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      const at = target instanceof Element ? target : document.body;
      if (key === 'Enter' || !at.matches('input, textarea')) onPress();
      // In the message itself its own keys work, and dialogs know the mark.
      const isForDialog = document.querySelector('[role="dialog"]') && !at.closest('[data-mantine-stop-propagation]');
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

interface Viewport {
  Component: ComponentType<{ shown: ShownToast | undefined }>;
}

/** Milliseconds after which the part that draws may be loaded, when the browser is idle. It is no part of the first load. */
const idleDelayMs = 3000;

/**
 * The part that draws is not needed for the first paint: it is fetched in a quiet moment, or when the person does something.
 * @param id the message: another one tries again after a failure
 */
function useViewport(id: number | undefined): Viewport | 'missing' | undefined {
  const [viewport, setViewport] = useState<Viewport | 'missing'>();
  const isThere = viewport !== undefined && viewport !== 'missing';
  useEffect(() => {
    if (isThere) return;
    const load = () => {
      import('./toast-viewport.tsx').then(
        ({ ToastViewport }) => setViewport({ Component: ToastViewport }),
        () => setViewport('missing'),
      );
    };
    if (id !== undefined) return load();
    const loadWhenIdle = () => ('requestIdleCallback' in window ? requestIdleCallback(load) : load());
    const timer = setTimeout(loadWhenIdle, idleDelayMs);
    const events = ['pointerdown', 'keydown'];
    for (const event of events) addEventListener(event, load, { once: true });
    return () => {
      clearTimeout(timer);
      for (const event of events) removeEventListener(event, load);
    };
  }, [isThere, id]);
  return viewport;
}

/** The message where the part that draws it could not be loaded. */
function PlainToast({ shown: { title, description, tone } }: { shown: ShownToast }) {
  useEffect(() => {
    const timer = setTimeout(closeToast, toastDurationMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <section aria-label="Notifications" className={classes.viewport}>
      <div role="alert" className={classes.toast} data-tone={tone}>
        <div className={classes.text}>
          <div className={classes.title}>{title}</div>
          {description && <div className={classes.description}>{description}</div>}
        </div>
        <button type="button" className={classes.close} aria-label="Close notification" onClick={closeToast}>
          ×
        </button>
      </div>
    </section>
  );
}
