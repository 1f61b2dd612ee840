import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { selectLook } from '../../../ui/fields.tsx';
import styles from './api-key.module.css';

/** When a key expires, as the user chose it. `date` counts only if the choice is 'date'. */
export interface Expiry {
  choice: 'keep' | 'never' | '30' | '90' | '365' | 'date';
  /** 'YYYY-MM-DD', or empty. */
  date: string;
}

const options: { value: Expiry['choice']; label: string }[] = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 365 days' },
  { value: 'date', label: 'On a date' },
];

const dayMs = 86_400_000;

/**
 * Returns what the server expects: an ISO 8601 time, null for a key that never expires, or undefined to keep the
 * expiry. A date ends at midnight in the user's time zone.
 */
export function toExpiresAt({ choice, date }: Expiry, now = Date.now()): string | null | undefined {
  if (choice === 'keep') return undefined;
  if (choice === 'never') return null;
  return (choice === 'date' ? endOfDay(date) : new Date(now + Number(choice) * dayMs)).toISOString();
}

/** Returns what is wrong with a choice, or null. */
export function validateExpiry({ choice, date }: Expiry, now = Date.now()): string | null {
  return choice !== 'date' || endOfDay(date).getTime() > now ? null : 'Please choose a date in the future';
}

/** An invalid date if the text is empty. */
const endOfDay = (date: string) => new Date(`${date}T23:59:59`);

interface ExpiryFieldProps {
  label: string;
  value: Expiry;
  onChange(value: Expiry): void;
  error?: ReactNode;
  disabled?: boolean;
  /** Whether the user can keep the current expiry. */
  canKeep?: boolean;
  /** Where a form finds the field of the date. */
  'data-path'?: string;
}

/** A select for when a key expires, and a field for the date if the user wants another one. */
export function ExpiryField({ label, value, onChange, error, disabled, canKeep, ...path }: ExpiryFieldProps) {
  return (
    <>
      <NativeSelect
        label={label}
        data={canKeep ? [{ value: 'keep', label: 'No change' }, ...options] : options}
        value={value.choice}
        onChange={({ currentTarget }) => onChange({ ...value, choice: currentTarget.value as Expiry['choice'] })}
        disabled={disabled}
        className={styles.expiry}
        {...selectLook}
      />
      {value.choice === 'date' && (
        <TextInput
          type="date"
          label="Date"
          value={value.date}
          onChange={({ currentTarget }) => onChange({ ...value, date: currentTarget.value })}
          disabled={disabled}
          error={error}
          required
          className={styles.expiry}
          data-path={path['data-path']}
        />
      )}
    </>
  );
}
