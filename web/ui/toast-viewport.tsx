import * as RadixToast from '@radix-ui/react-toast';
import { X } from 'lucide-react';
import { closeToast, type ShownToast, toastDurationMs } from './toast.tsx';
import classes from './toast-viewport.module.css';

// Mantine's dialogs listen for Escape on the window. Without this attribute, closing a toast also closes a dialog.
const keepsDialogsOpen = { 'data-mantine-stop-propagation': true };

/** Renders the visible toast. F8 focuses it, hover and focus pause its timer, and a swipe to the right closes it. */
export function ToastViewport({ shown }: { shown: ShownToast | undefined }) {
  return (
    <RadixToast.Provider duration={toastDurationMs} swipeDirection="right" swipeThreshold={50} label="Notification">
      {shown && (
        <RadixToast.Root
          key={shown.id}
          open={shown.open}
          onOpenChange={(open) => !open && closeToast()}
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
