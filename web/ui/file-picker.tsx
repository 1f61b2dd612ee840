import { CloseButton, Group, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { Button } from './button.tsx';
import '@mantine/dropzone/styles.css';
import { FileText, Upload } from 'lucide-react';
import { useId, useRef } from 'react';
import { formatBytes } from '../lib/format.ts';
import styles from './file-picker.module.css';

interface FilePickerProps {
  /** The chosen file. The caller keeps it in its state. */
  file: File | null;
  onChange(file: File | null): void;
  /** The label of the button, such as 'Choose a CSV file'. */
  label: string;
  hint?: string;
  /** Why the chosen file cannot be used. */
  error?: string | undefined;
  /** The `accept` attribute of the file input. Files of any type can still be dropped. */
  accept?: string;
  disabled?: boolean;
}

/** Chooses one file with a button or by drag and drop. Does not check the file: the caller does, and sets `error`. */
export function FilePicker({ file, onChange, label, hint, error, accept, disabled = false }: FilePickerProps) {
  const open = useRef<() => void>(null);
  const id = useId();
  return (
    <div>
      <Dropzone
        className={styles.zone}
        data-error={error ? true : undefined}
        data-chosen={file ? true : undefined}
        openRef={open}
        onDrop={(files) => onChange(files[0] ?? null)}
        multiple={false}
        disabled={disabled}
        // The root would be a focusable element without an accessible name. The button inside opens the file dialog.
        activateOnClick={false}
        activateOnKeyboard={false}
        tabIndex={-1}
        enablePointerEvents
        inputProps={{ 'aria-hidden': true, tabIndex: -1, ...(accept && { accept }) }}
      >
        {file ? (
          <Group wrap="nowrap" gap="sm">
            <FileText size={20} aria-hidden className={styles.icon} />
            <div className={styles.name}>
              <Text size="sm" fw={500} truncate title={file.name}>
                {file.name}
              </Text>
              <Text size="xs" c="dimmed">
                {formatBytes(file.size)}
              </Text>
            </div>
            <Button
              variant="default"
              size="xs"
              disabled={disabled}
              onClick={() => open.current?.()}
              aria-describedby={error ? id : undefined}
            >
              Change
            </Button>
            <CloseButton aria-label={`Remove ${file.name}`} disabled={disabled} onClick={() => onChange(null)} />
          </Group>
        ) : (
          <div className={styles.empty}>
            <Upload size={20} aria-hidden className={styles.icon} />
            <Button
              variant="default"
              size="sm"
              disabled={disabled}
              onClick={() => open.current?.()}
              aria-describedby={hint ? `${id}-hint` : undefined}
            >
              {label}
            </Button>
            <Text size="sm" c="dimmed" className={styles.drop}>
              or drop it here
            </Text>
            {hint && (
              <Text size="xs" c="dimmed" id={`${id}-hint`}>
                {hint}
              </Text>
            )}
          </div>
        )}
      </Dropzone>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" mt={6} id={id} role="alert">
          {error}
        </Text>
      )}
    </div>
  );
}
