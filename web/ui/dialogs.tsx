import { Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from './button.tsx';
import styles from './dialogs.module.css';
import { FormError } from './form-error.tsx';

interface ConfirmDialogProps {
  opened: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: string;
  /** What will happen, in one sentence. */
  children: ReactNode;
  /** The label of the button, such as 'Delete'. */
  confirmLabel: string;
  /** Whether the request is pending. The dialog stays open until it ends. */
  busy?: boolean;
  /** Why the action failed. */
  error: Error | null;
  /** Whether the action destroys something. */
  destructive?: boolean;
  /** Its name in the modal stack, for a confirmation on top of another dialog. */
  stackId?: string;
}

/** Asks for confirmation before an action that cannot be undone. The focus starts on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, onConfirm, title, children, confirmLabel, busy = false, error, destructive = true } = props;
  const { stackId } = props;
  // Hide the error of an earlier attempt when the dialog is opened again.
  const [oldError, setOldError] = useState(error);
  if (!opened && error !== oldError) setOldError(error);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size="md"
      closeOnEscape={!busy}
      closeOnClickOutside={!busy}
      {...(stackId && { stackId })}
    >
      <Stack gap="lg">
        <Text size="sm" component="div">
          {children}
        </Text>
        {error !== oldError && <FormError error={error} />}
        <Group justify="flex-end" gap="sm" className={styles.buttons}>
          <Button variant="default" onClick={onClose} disabled={busy} data-autofocus>
            Cancel
          </Button>
          <Button {...(destructive && { color: 'red' })} onClick={onConfirm} loading={busy}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/**
 * The title of a dialog to read, or whose fields load later. It gets the focus, which would otherwise go to the Close
 * button.
 */
export function FocusedTitle({ children }: { children: ReactNode }) {
  return (
    <span tabIndex={-1} data-autofocus className={styles.title}>
      {children}
    </span>
  );
}

/**
 * A ref of the first field, for a form whose values may load after its dialog has opened. The dialog itself focuses
 * only what it contains at first.
 */
export function focusLate(field: HTMLElement | null): void {
  // The dialog must first remember the element to return the focus to.
  if (field) setTimeout(() => field.focus({ preventScroll: true }));
}

interface FormDialogProps {
  opened: boolean;
  onClose(): void;
  onSubmit(): void;
  title: ReactNode;
  /** The fields, the first of them with `data-autofocus`. */
  children: ReactNode;
  /** The label of the button, such as 'Delete'. */
  submitLabel: string;
  /** Whether the request is pending. The dialog stays open until it ends. */
  busy: boolean;
  /** Whether the form destroys something. */
  destructive?: boolean;
  /** Whether the form cannot be submitted with its current values. */
  invalid?: boolean;
  /** Whether a click outside closes the dialog. */
  closeOnClickOutside?: boolean;
  /** Whether it opens over another dialog. */
  isOnTop?: boolean;
}

/** A dialog with a form and buttons to submit and to cancel. */
export function FormDialog(props: FormDialogProps) {
  const { opened, onClose, onSubmit, title, children, submitLabel, busy } = props;
  const { destructive = false, invalid = false, closeOnClickOutside = true, isOnTop = false } = props;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size="md"
      closeOnClickOutside={closeOnClickOutside && !busy}
      closeOnEscape={!busy}
      {...(isOnTop && { zIndex: 300 })}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy && !invalid) onSubmit();
        }}
      >
        <Stack gap="md">
          {children}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={busy}>
              Cancel
            </Button>
            <Button type="submit" {...(destructive && { color: 'red' })} loading={busy} disabled={invalid}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/**
 * Returns the value, or the last one that was not undefined. Keeps the content of a dialog visible while it fades out.
 */
export function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}
