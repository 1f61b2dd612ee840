import * as RadixToast from '@radix-ui/react-toast';
import { X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import classes from './toast.module.css';

export interface ToastText {
  title: string;
  description?: string;
  tone: 'success' | 'destructive';
}

/** Shows a message for five seconds in place of the one that is visible. Callable from anywhere. */
export function toast(text: ToastText): void {
  show({ ...text, id: (current?.id ?? 0) + 1, open: true });
}

interface ShownToast extends ToastText {
  id: number;
  open: boolean;
}

let current: ShownToast | undefined;
const listeners = new Set<() => void>();

function show(next: ShownToast): void {
  current = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// Mantine's dialogs listen for Escape on the window; without this mark, closing a toast closes the dialog under it too.
const keepsDialogsOpen = { 'data-mantine-stop-propagation': true };

/** The place of the toasts; one for the whole site. F8 moves the focus there. */
export function Toaster() {
  const shown = useSyncExternalStore(subscribe, () => current);
  return (
    <RadixToast.Provider duration={5000} swipeDirection="right" swipeThreshold={50} label="Notification">
      {shown && (
        <RadixToast.Root
          key={shown.id}
          open={shown.open}
          onOpenChange={(open) => show({ ...shown, open })}
          className={classes.toast}
          data-tone={shown.tone}
          {...keepsDialogsOpen}
        >
          <div className={classes.text}>
            <RadixToast.Title className={classes.title}>{shown.title}</RadixToast.Title>
            {shown.description && (
              <RadixToast.Description className={classes.description}>{shown.description}</RadixToast.Description>
            )}
          </div>
          <RadixToast.Close className={classes.close} aria-label="Close notification" {...keepsDialogsOpen}>
            <X size={16} aria-hidden />
          </RadixToast.Close>
        </RadixToast.Root>
      )}
      <RadixToast.Viewport
        className={classes.viewport}
        hotkey={['F8']}
        label="Notifications ({hotkey})"
        {...keepsDialogsOpen}
      />
    </RadixToast.Provider>
  );
}
