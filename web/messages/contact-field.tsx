import { type InputHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react';
import field from '../ui/field.module.css';
import styles from './contact-field.module.css';

type Native = Omit<InputHTMLAttributes<HTMLInputElement> & TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'>;

interface ContactFieldProps extends Native {
  label: string;
  name: string;
  value: string;
  error: string | undefined;
  /** More than one line high. */
  rows?: number;
  onChange(value: string): void;
}

/** A field with its label, and below it what is wrong with what was typed. The kit's fields are not on public pages. */
export function ContactField({ label, error, rows, onChange, ...native }: ContactFieldProps) {
  const id = useId();
  const shared = {
    ...native,
    id,
    className: `${field.field} ${styles.input}`,
    required: true,
    'aria-invalid': error !== undefined,
    'aria-describedby': error === undefined ? undefined : `${id}-error`,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  return (
    <div>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {rows ? <textarea {...shared} rows={rows} /> : <input {...shared} />}
      {error !== undefined && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}
