import { CloseButton } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { Button } from './button.tsx';
import { ErrorText, Hint, Strong } from './typography.ts';
import '@mantine/dropzone/styles.css';
import { FileText, Upload } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { formatBytes } from '../platform/format.ts';
import styles from './file-picker.module.css';

interface FilePickerProps {
  /** The chosen files. The caller keeps them in its state. */
  files: readonly File[];
  onChange(files: readonly File[]): void;
  /** The label of the button, such as 'Choose a CSV file'. */
  label: string;
  hint?: string;
  /** Why the chosen files cannot be used. */
  error?: string | undefined;
  /** The `accept` attribute of the file input. Files of any type can still be dropped. */
  accept?: string;
  /** Whether more than one file can be chosen. Files are then added to those already chosen. */
  multiple?: boolean;
  disabled?: boolean;
}

/** Chooses files with a button or by drag and drop. Does not check them: the caller does, and sets `error`. */
export function FilePicker(props: FilePickerProps) {
  const { files, onChange, label, hint, error, accept, multiple = false, disabled = false } = props;
  const open = useRef<() => void>(null);
  const chooseButton = useRef<HTMLButtonElement>(null);
  const hasRemoved = useRef(false);
  const id = useId();
  const add = (chosen: readonly File[]) => {
    if (chosen.length > 0) onChange(multiple ? withoutRepeats([...files, ...chosen]) : chosen.slice(0, 1));
  };
  const remove = (file: File) => {
    hasRemoved.current = true;
    onChange(files.filter((other) => other !== file));
  };
  // The Remove button that had the focus is gone with its file.
  useEffect(() => {
    if (!hasRemoved.current) return;
    hasRemoved.current = false;
    chooseButton.current?.focus();
  });
  const openButton = (text: string) => (
    <Button
      ref={chooseButton}
      variant="default"
      size="xs"
      disabled={disabled}
      onClick={() => open.current?.()}
      aria-describedby={error ? id : undefined}
    >
      {text}
    </Button>
  );
  return (
    <div>
      <Dropzone
        className={styles.zone}
        data-error={error ? true : undefined}
        data-chosen={files.length > 0 ? true : undefined}
        openRef={open}
        onDrop={add}
        multiple={multiple}
        disabled={disabled}
        // The root would be a focusable element without an accessible name. The button inside opens the file dialog.
        activateOnClick={false}
        activateOnKeyboard={false}
        tabIndex={-1}
        enablePointerEvents
        inputProps={{ 'aria-hidden': true, tabIndex: -1, ...(accept && { accept }) }}
      >
        {files.length > 0 ? (
          <>
            <ul className={styles.files}>
              {files.map((file) => (
                <li key={toFileKey(file)}>
                  <FileText size={20} aria-hidden className={styles.icon} />
                  <div className={styles.name}>
                    <Strong truncate title={file.name}>
                      {file.name}
                    </Strong>
                    <Hint size="xs">{formatBytes(file.size)}</Hint>
                  </div>
                  {!multiple && openButton('Change')}
                  <CloseButton aria-label={`Remove ${file.name}`} disabled={disabled} onClick={() => remove(file)} />
                </li>
              ))}
            </ul>
            {multiple && <div className={styles.add}>{openButton('Add files')}</div>}
          </>
        ) : (
          <div className={styles.empty}>
            <Upload size={20} aria-hidden className={styles.icon} />
            <Button
              ref={chooseButton}
              variant="default"
              size="sm"
              disabled={disabled}
              onClick={() => open.current?.()}
              aria-describedby={hint ? `${id}-hint` : undefined}
            >
              {label}
            </Button>
            <Hint className={styles.drop}>{multiple ? 'or drop files here' : 'or drop it here'}</Hint>
            {hint && (
              <Hint size="xs" id={`${id}-hint`}>
                {hint}
              </Hint>
            )}
          </div>
        )}
      </Dropzone>
      {error && (
        <ErrorText className={styles.error} id={id} role="alert">
          {error}
        </ErrorText>
      )}
    </div>
  );
}

/** Tells apart the files that a user chose. */
export const toFileKey = ({ name, size, lastModified }: File) => `${name}/${size}/${lastModified}`;

/** Leaves out a file that is chosen a second time. */
function withoutRepeats(files: readonly File[]): readonly File[] {
  return [...new Map(files.map((file) => [toFileKey(file), file])).values()];
}
