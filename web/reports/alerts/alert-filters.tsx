import { alertEvents } from '#shared/reports/watch.ts';
import type { Website } from '#shared/reports/websites.ts';
import { paths } from '../../paths.ts';
import { formatCount } from '../../platform/format.ts';
import type { useListUrl } from '../../platform/use-list-url.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, SelectField } from '../../ui/fields.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { eventTexts } from '../watch/watch.tsx';
import styles from './alerts-page.module.css';
import { useReadAlerts } from './queries.ts';
import type { AlertsSearch } from './search.ts';

export type AlertsUrl = ReturnType<typeof useListUrl<AlertsSearch>>;

interface AlertFiltersProps {
  url: AlertsUrl;
  websites: readonly Website[];
  /** All unread alerts of the user. */
  unread: number;
}

const eventOptions = [
  { value: '', label: 'All events' },
  ...alertEvents.map((event) => ({ value: event, label: eventTexts[event].label })),
];

/** The filters of the list, and what applies to all alerts. */
export function AlertFilters({ url: { search, show }, websites, unread }: AlertFiltersProps) {
  const read = useReadAlerts();
  const website = websites.find(({ id }) => id === search.website);
  const unreadOfWebsite = Object.values(website?.watch.unread ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <div className={styles.filters}>
      <SelectField
        aria-label="Website"
        className={styles.select}
        options={[
          { value: '', label: 'All websites' },
          ...websites.map(({ id, domain }) => ({ value: String(id), label: domain })),
        ]}
        value={website ? String(website.id) : ''}
        onChange={(value) => void show({ website: Number(value) || undefined })}
      />
      <SelectField
        aria-label="Event"
        className={styles.select}
        options={eventOptions}
        value={search.event ?? ''}
        onChange={(value) => void show({ event: alertEvents.find((event) => event === value) })}
      />
      <Checkbox
        label="Unread only"
        checked={search.unread !== undefined}
        onChange={(event) => void show({ unread: event.currentTarget.checked ? 'true' : undefined })}
      />
      <div className={styles.actions}>
        <span role="status">{formatCount(unread)} unread</span>
        <Button
          size="xs"
          variant="default"
          disabled={(website ? unreadOfWebsite : unread) === 0}
          loading={read.isPending}
          onClick={() => read.mutate({ all: true, ...(website && { profileId: website.id }) })}
        >
          {website ? 'Mark website as read' : 'Mark all as read'}
        </Button>
        <TextLink to={paths.account} search={{ tab: 'notifications' }} size="sm">
          Alert settings
        </TextLink>
      </div>
    </div>
  );
}
