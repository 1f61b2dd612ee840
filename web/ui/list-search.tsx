import { TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useRef } from 'react';
import { useSearchShortcut } from '../lib/keys.ts';
import { useDraft } from '../lib/use-draft.ts';
import { Button } from './button.tsx';
import classes from './list-search.module.css';

interface Props {
  /** What is searched: 'Search accounts'. */
  label: string;
  value: string | undefined;
  /** Characters that may be typed. */
  maxLength?: number;
  onApply(next: string | undefined): void;
}

/** The search field above a list: what is typed applies after a moment, or at once by Enter or the button. */
export function ListSearch({ label, value, maxLength = 254, onApply }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useSearchShortcut(input);
  const text = useDraft(value ?? '', (next) => onApply(next.trim() || undefined));
  return (
    <search className={classes.search}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          text.apply();
        }}
      >
        <TextInput
          ref={input}
          className={classes.input}
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
