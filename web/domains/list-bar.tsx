import { Download, Trash2 } from 'lucide-react';
import { exportDomains } from '#shared/domains.ts';
import { urlOf } from '../lib/api.ts';
import { formatCount, plural } from '../lib/format-count.ts';
import { Button, ButtonAnchor } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import styles from './list-bar.module.css';
import { isNarrowed, queryOf } from './search.ts';
import type { DomainsScreen } from './use-domains-screen.ts';

interface ListBarProps {
  screen: DomainsScreen;
  isAdmin: boolean;
  /** Number of matches; undefined until known. */
  total: number | undefined;
  /** Number of domains in the whole blacklist. */
  whole: number | undefined;
  selected: number;
  onDeleteSelected(): void;
  onClearSelection(): void;
}

/** The line above the list: how many there are, or what is done with the selected ones; and the export. */
export function ListBar(props: ListBarProps) {
  const { screen, isAdmin, total, whole, selected, onDeleteSelected, onClearSelection } = props;
  const narrowed = isNarrowed(screen.search);
  return (
    <div className={styles.bar} data-selecting={selected > 0 || undefined}>
      {selected > 0 ? (
        <div className={styles.side}>
          <span>{formatCount(selected)} selected</span>
          <Button
            size="xs"
            color="red"
            variant="light"
            leftSection={<Trash2 size={14} aria-hidden />}
            onClick={onDeleteSelected}
          >
            Delete Selected
          </Button>
          <Button size="xs" variant="subtle" onClick={onClearSelection}>
            Clear
          </Button>
        </div>
      ) : (
        <div className={styles.side}>
          {total !== undefined && plural(total, narrowed ? 'match' : 'domain', narrowed ? 'matches' : 'domains')}
        </div>
      )}
      {total !== undefined && total > 0 && (
        <ButtonAnchor
          size="xs"
          variant="subtle"
          leftSection={<Download size={15} aria-hidden />}
          href={exportUrl(screen, isAdmin)}
          download
          onClick={() =>
            toast({ title: 'Export Started', description: `${plural(total, 'domain')} as CSV.`, tone: 'success' })
          }
        >
          {exportLabel(total, whole, narrowed)}
        </ButtonAnchor>
      )}
    </div>
  );
}

function exportUrl(screen: DomainsScreen, isAdmin: boolean): string {
  const { page: _, pageSize: __, ...query } = queryOf(screen.search, isAdmin);
  return urlOf(exportDomains, {}, query);
}

function exportLabel(total: number, whole: number | undefined, narrowed: boolean): string {
  if (!narrowed) return `Export all ${formatCount(total)}`;
  return whole === undefined
    ? `Export ${formatCount(total)} filtered`
    : `Export ${formatCount(total)} filtered of ${formatCount(whole)}`;
}
