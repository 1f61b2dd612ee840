import * as RadixToast from '@radix-ui/react-toast';
import { X } from 'lucide-react';
import { Button } from './button.tsx';
import styles from './toast-viewport.module.css';

// Mantine's dialogs listen for Escape on the window. Without this attribute, closing a toast also closes a dialog.
const keepsDialogsOpen = { 'data-mantine-stop-propagation': true };

export interface ShownToast {
  id: number;
  open: boolean;
  title: string;
  description?: string;
  tone?: 'success' | 'destructive';
  /** Takes back what the toast says. The toast has a button for it. */
  undo?(): void;
}

interface ToastViewportProps {
  shown: ShownToast | undefined;
  durationMs: number;
  onClose(): void;
}

/** Renders the visible toast. F8 focuses it, hover and focus pause its timer, and a swipe to the right closes it. */
export function ToastViewport({ shown, durationMs, onClose }: ToastViewportProps) {
  return (
    <RadixToast.Provider duration={durationMs} swipeDirection="right" swipeThreshold={50} label="Notification">
      {shown && (
        <RadixToast.Root
          key={shown.id}
          open={shown.open}
          onOpenChange={(open) => !open && onClose()}
          className={styles.toast}
          data-tone={shown.tone}
          {...keepsDialogsOpen}
        >
          <div className={styles.text}>
            <RadixToast.Title className={styles.title}>{shown.title}</RadixToast.Title>
            {shown.description && (
              <RadixToast.Description className={styles.description}>{shown.description}</RadixToast.Description>
            )}
          </div>
          {shown.undo && (
            <RadixToast.Action altText="Undo" asChild {...keepsDialogsOpen}>
              <Button size="xs" variant="default" onClick={shown.undo}>
                Undo
              </Button>
            </RadixToast.Action>
          )}
          <RadixToast.Close className={styles.close} aria-label="Close notification" {...keepsDialogsOpen}>
            <X size={16} aria-hidden />
          </RadixToast.Close>
        </RadixToast.Root>
      )}
      <RadixToast.Viewport
        className={styles.viewport}
        hotkey={['F8']}
        label="Notifications ({hotkey})"
        {...keepsDialogsOpen}
      />
    </RadixToast.Provider>
  );
}
