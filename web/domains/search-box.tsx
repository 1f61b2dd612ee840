import { Search } from 'lucide-react';
import { type FormEvent, useRef } from 'react';
import { useDraft } from '../lib/use-draft.ts';
import { useSearchKey } from '../lib/use-search-key.ts';
import { Button } from '../ui/button.tsx';
import field from '../ui/field.module.css';
import styles from './filter-bar.module.css';
import type { DomainsScreen } from './use-domains-screen.ts';

/** The search field: what is typed applies after a moment, or at once by Enter or the button. */
export function SearchBox({ screen }: { screen: DomainsScreen }) {
  const { search } = screen.search;
  const input = useRef<HTMLInputElement>(null);
  useSearchKey(input);

  // While a person goes on typing, the history keeps one entry for the whole word.
  const text = useDraft(
    search ?? '',
    (next) => void screen.show({ search: next.trim() || undefined }, search !== undefined && next.trim() !== ''),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    text.apply();
  };

  return (
    <search className={styles.search}>
      <form className={styles.form} onSubmit={submit}>
        <span className={styles.input}>
          <Search size={16} aria-hidden className={styles.glass} />
          <input
            ref={input}
            className={field.field}
            type="search"
            aria-label="Search domains"
            placeholder="Search domains"
            maxLength={2048}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={text.value}
            onChange={(event) => text.change(event.currentTarget.value)}
          />
          <kbd className={styles.key} title="Press / to search">
            /
          </kbd>
        </span>
        <Button type="submit">Search</Button>
      </form>
    </search>
  );
}
