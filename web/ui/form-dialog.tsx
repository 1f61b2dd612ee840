import { Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface Props {
  opened: boolean;
  onClose(): void;
  onSubmit(): void;
  title: string;
  /** The fields, the first of them with `data-autofocus`. */
  children: ReactNode;
  /** The verb on the button: 'Delete'. */
  submitLabel: string;
  /** Whether the request is under way. The dialog stays until it ends. */
  busy: boolean;
  /** Whether the form destroys something. */
  destructive?: boolean;
  /** Whether the form cannot be sent as it is. */
  invalid?: boolean;
  /** Whether a click outside closes the dialog. */
  closeOnClickOutside?: boolean;
}

/** A dialog with a form, and the buttons to send it and to cancel. */
export function FormDialog(props: Props) {
  const { opened, onClose, onSubmit, title, children, submitLabel, busy } = props;
  const { destructive = false, invalid = false, closeOnClickOutside = true } = props;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size="md"
      closeOnClickOutside={closeOnClickOutside && !busy}
      closeOnEscape={!busy}
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
