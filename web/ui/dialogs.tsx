import { Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from './button.tsx';
import styles from './dialogs.module.css';
import { FormError } from './form-error.tsx';

type Of<T, V> = V | ((target: T) => V);

export interface ConfirmDialogProps<T> {
  /** What the action applies to. The dialog is open unless it is undefined. */
  target: T | undefined;
  onClose(): void;
  /** The mutation. The dialog stays open while it is pending, and shows why it failed. */
  action: { mutate(target: T): void; isPending: boolean; error: Error | null };
  title: Of<T, string>;
  /** The label of the button, if it is not the title. */
  confirmLabel?: Of<T, string> | undefined;
  /** Whether the action destroys something. */
  destructive?: Of<T, boolean> | undefined;
  /** Its name in the modal stack, for a confirmation on top of another dialog. */
  stackId?: string | undefined;
  /** What will happen, in one sentence. */
  children: Of<T, ReactNode>;
}

/** Asks for confirmation before an action that cannot be undone. The focus starts on Cancel. */
export function ConfirmDialog<T extends NonNullable<unknown>>(props: ConfirmDialogProps<T>) {
  const { target, onClose, action, title, confirmLabel = title, destructive = true, stackId, children } = props;
  const { mutate, isPending, error } = action;
  const opened = target !== undefined;
  const shown = useLast(target);
  // Hide the error of an earlier attempt when the dialog is opened again.
  const [oldError, setOldError] = useState(error);
  if (!opened && error !== oldError) setOldError(error);
  const of = <V,>(value: Of<T, V>) =>
    typeof value === 'function' ? shown !== undefined && (value as (target: T) => V)(shown) : value;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={of(title)}
      size="md"
      closeOnEscape={!isPending}
      closeOnClickOutside={!isPending}
      {...(stackId && { stackId })}
    >
      <Stack gap="lg">
        <Text size="sm" component="div">
          {of(children)}
        </Text>
        {error !== oldError && <FormError error={error} />}
        <Group justify="flex-end" gap="sm" className={styles.buttons}>
          <Button variant="default" onClick={onClose} disabled={isPending} data-autofocus>
            Cancel
          </Button>
          <Button
            {...(of(destructive) && { color: 'red' })}
            onClick={() => shown !== undefined && mutate(shown)}
            loading={isPending}
          >
            {of(confirmLabel)}
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
