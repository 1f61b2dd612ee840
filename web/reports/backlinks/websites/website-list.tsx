import { FolderUp, Tag } from 'lucide-react';
import { useState } from 'react';
import type { Website } from '#shared/reports/websites.ts';
import { formatCount, plural } from '../../../platform/format.ts';
import { Button } from '../../../ui/button.tsx';
import { useLast } from '../../../ui/dialogs.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SelectField } from '../../../ui/fields.tsx';
import { ListSearch } from '../../../ui/list-search.tsx';
import { Pagination } from '../../../ui/pagination.tsx';
import { useSelection } from '../../../ui/selection.ts';
import { Table } from '../../../ui/table.tsx';
import { WatchDialog } from '../../watch/watch-button.tsx';
import { DeleteWebsiteDialog } from '../delete-website.tsx';
import { useScreenState } from '../screen.ts';
import { websiteSorts } from '../search.ts';
import type { AnalysisDraft } from '../start-analysis.ts';
import { filterWebsites, listTags } from './filter-websites.ts';
import { TagsDialog } from './tags.tsx';
import { getColumns } from './website-columns.tsx';
import styles from './website-list.module.css';

/** Fewer websites are shown as cards with their reports. */
export const minListedWebsites = 5;

const pageSize = 50;

const sortLabels: Record<(typeof websiteSorts)[number], string> = {
  toxicity: 'Toxicity, worst first',
  reviews: 'To review, most first',
  report: 'Last report, newest first',
  name: 'Name, A to Z',
  added: 'Added, newest first',
};
const sortOptions = websiteSorts.map((sort) => ({ value: sort, label: sortLabels[sort] }));

interface WebsiteListProps {
  websites: readonly Website[];
  onStart(draft?: Partial<AnalysisDraft>): void;
  /** Undefined if the screen has this button elsewhere. */
  onUploadSeveral?(): void;
}

/** Many websites as a table with search, a filter by tag, and an order. */
export function WebsiteList({ websites, onStart, onUploadSeveral }: WebsiteListProps) {
  const { search, go } = useScreenState();
  const [deleting, setDeleting] = useState<Website>();
  const [tagging, setTagging] = useState<readonly Website[]>();
  const [watching, setWatching] = useState<Website>();
  const lastTagging = useLast(tagging);
  const lastWatching = useLast(watching);
  const { find, tag, sort } = search;
  const tags = listTags(websites);
  const found = filterWebsites(websites, search);
  const lastPage = Math.max(1, Math.ceil(found.length / pageSize));
  const page = Math.min(search.websites ?? 1, lastPage) - 1;
  const rows = found.slice(page * pageSize, (page + 1) * pageSize);
  const [selection, setSelection] = useSelection<number>(JSON.stringify([find, tag, sort, page]));
  const selected = rows.filter(({ id }) => selection.has(id));
  const show = (change: Partial<typeof search>) => void go({ ...change, websites: undefined });
  const open = found.reduce((sum, { openReviews }) => sum + openReviews, 0);
  const columns = getColumns({
    onUpload: ({ id }) => onStart({ mode: 'existing', websiteId: id }),
    onShow: ({ id }) => void go({ profile: id }),
    onTag: (next) => show({ tag: next }),
    onEditTags: (website) => setTagging([website]),
    onWatch: setWatching,
    onDelete: setDeleting,
  });
  return (
    <section aria-label="Websites" className={styles.list}>
      <div className={styles.bar}>
        <ListSearch label="Search name or tag" value={find} maxLength={100} onApply={(text) => show({ find: text })} />
        {(tags.length > 0 || tag !== undefined) && (
          <SelectField
            aria-label="Tag"
            className={styles.select}
            options={[
              { value: '', label: 'All tags' },
              ...(tag === undefined || tags.includes(tag) ? tags : [tag, ...tags]).map((one) => ({
                value: one,
                label: one,
              })),
            ]}
            value={tag ?? ''}
            onChange={(value) => show({ tag: value || undefined })}
          />
        )}
        <SelectField
          aria-label="Sort by"
          className={styles.select}
          options={sortOptions}
          value={sort ?? websiteSorts[0]}
          onChange={(value) => show({ sort: websiteSorts.find((one) => one === value && one !== websiteSorts[0]) })}
        />
        {onUploadSeveral && (
          <Button
            variant="default"
            leftSection={<FolderUp size={16} aria-hidden />}
            className={styles.upload}
            onClick={onUploadSeveral}
          >
            Upload several sites
          </Button>
        )}
      </div>
      <div className={styles.summary}>
        <span role="status">
          {plural(found.length, 'website')}, {plural(open, 'domain')} to review
        </span>
        {selected.length > 0 && (
          <>
            <span role="status">{formatCount(selected.length)} selected</span>
            <Button
              size="xs"
              variant="default"
              leftSection={<Tag size={14} aria-hidden />}
              onClick={() => setTagging(selected)}
            >
              Edit tags
            </Button>
            <Button size="xs" variant="subtle" onClick={() => setSelection(new Set())}>
              Clear selection
            </Button>
          </>
        )}
      </div>
      {found.length === 0 ? (
        <EmptyState title="No websites found" description="Try another name or tag.">
          <Button variant="default" onClick={() => show({ find: undefined, tag: undefined })}>
            Show all websites
          </Button>
        </EmptyState>
      ) : (
        <Table
          label="Websites"
          columns={columns}
          rows={rows}
          getRowKey={({ id }) => id}
          selection={{ selected: selection, onSelect: setSelection, nameOf: ({ domain }) => domain }}
        />
      )}
      {lastPage > 1 && (
        <Pagination
          page={page}
          pageSize={pageSize}
          total={found.length}
          label="Pages of websites"
          onChange={(next) => void go({ websites: next > 0 ? next + 1 : undefined })}
        />
      )}
      <DeleteWebsiteDialog website={deleting} onClose={() => setDeleting(undefined)} />
      {lastWatching && (
        <WatchDialog website={lastWatching} opened={watching !== undefined} onClose={() => setWatching(undefined)} />
      )}
      {lastTagging && (
        <TagsDialog websites={lastTagging} opened={tagging !== undefined} onClose={() => setTagging(undefined)} />
      )}
    </section>
  );
}
