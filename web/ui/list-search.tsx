import { TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useRef } from 'react';
import { useSearchShortcut } from '../platform/keys.ts';
import { useDraft } from '../platform/use-draft.ts';
import { Button } from './button.tsx';
import styles from './list-search.module.css';

interface Props {
  /** The accessible name and placeholder, such as 'Search accounts'. */
  label: string;
  value: string | undefined;
  /** The maximum number of characters. */
  maxLength?: number;
  onApply(next: string | undefined): void;
}

/** The search field above a list. Typed text applies after a pause, or immediately with Enter or the button. */
export function ListSearch({ label, value, maxLength = 254, onApply }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useSearchShortcut(input);
  const text = useDraft(value ?? '', (next) => onApply(next.trim() || undefined));
  return (
    <search className={styles.search}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          text.apply();
        }}
      >
        <TextInput
          ref={input}
          className={styles.input}
          type="search"
          aria-label={label}
          placeholder={label}
          leftSection={<Search size={16} aria-hidden />}
          maxLength={maxLength}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={text.value}
          onChange={(event) => text.change(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Search
        </Button>
      </form>
    </search>
  );
}
