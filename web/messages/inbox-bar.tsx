import type { MessageCounts } from '#shared/messages.ts';
import { ListSearch } from '../ui/list-search.tsx';
import styles from './inbox-bar.module.css';
import type { Inbox } from './use-inbox.ts';

const filters = [
  { status: undefined, label: 'All', count: 'total' },
  { status: 'new', label: 'New', count: 'new' },
  { status: 'read', label: 'Read', count: 'read' },
  { status: 'replied', label: 'Replied', count: 'replied' },
] as const;

/** Which messages the list shows, and the search among them. */
export function InboxBar({ inbox, counts }: { inbox: Inbox; counts: MessageCounts | undefined }) {
  const { status, search } = inbox.search;
  return (
    <div className={styles.bar}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, these change the list at once */}
      <div role="group" aria-label="Which messages" className={styles.filters}>
        {filters.map((filter) => (
          <button
            key={filter.label}
            type="button"
            aria-pressed={status === filter.status}
            onClick={() => void inbox.show({ status: filter.status })}
          >
            {filter.label} <span>{counts ? counts[filter.count].toLocaleString('en-US') : ''}</span>
          </button>
        ))}
      </div>
      <ListSearch
        label="Search messages"
        value={search}
        maxLength={200}
        // While a person goes on typing, the history keeps one entry for the whole word.
        onApply={(next) => void inbox.show({ search: next }, search !== undefined && next !== undefined)}
      />
    </div>
  );
}
