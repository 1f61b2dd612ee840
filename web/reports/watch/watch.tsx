import { ListPlus, ListX, type LucideIcon, TrendingDown, TrendingUp } from 'lucide-react';
import { type AlertEvent, alertEvents, maxExportAgeDays } from '#shared/reports/watch.ts';
import type { Website } from '#shared/reports/websites.ts';
import { paths } from '../../paths.ts';
import { formatCount, plural } from '../../platform/format.ts';
import hidden from '../../ui/hidden.module.css';
import { TextLink } from '../../ui/screen.tsx';
import styles from './watch.module.css';

interface EventTexts {
  label: string;
  /** When an alert is created. */
  meaning: string;
  Icon: LucideIcon;
}

export const eventTexts: Record<AlertEvent, EventTexts> = {
  listed: {
    label: 'Listed',
    meaning: 'A domain that links to you is added to the blacklist.',
    Icon: ListPlus,
  },
  raised: {
    label: 'Risk raised',
    meaning: 'The risk level of a listed domain that links to you rises.',
    Icon: TrendingUp,
  },
  lowered: {
    label: 'Risk lowered',
    meaning: 'The risk level of a listed domain that links to you falls.',
    Icon: TrendingDown,
  },
  delisted: {
    label: 'Delisted',
    meaning: 'A domain that links to you is removed from the blacklist.',
    Icon: ListX,
  },
};

/** '3 listed, 1 raised'. Events without alerts are left out. */
export function describeEvents(counts: Readonly<Record<AlertEvent, number>>): string {
  return alertEvents
    .filter((event) => counts[event] > 0)
    .map((event) => `${formatCount(counts[event])} ${event}`)
    .join(', ');
}

interface WatchStatusProps {
  website: Website;
  /** Uploads another export. */
  onUpload?: (() => void) | undefined;
  /** Whether it stands in a row of a table, and says only what is special. */
  isShort?: boolean;
}

/** Whether a website is watched, its unread alerts, and whether its export is too old. */
export function WatchStatus({ website, onUpload, isShort = false }: WatchStatusProps) {
  const { id, domain, watch, lastReport } = website;
  const unread = Object.values(watch.unread).reduce((sum, count) => sum + count, 0);
  const age = watch.enabled && lastReport ? findExcessAge(lastReport.dateCreated) : undefined;
  return (
    <div className={styles.status}>
      {!(isShort && watch.enabled) && <span>{describeWatch(watch)}</span>}
      {unread > 0 && (
        <TextLink to={paths.alerts} search={{ website: id }} inherit>
          {plural(unread, 'new alert')}
          {!isShort && `: ${describeEvents(watch.unread)}`}
          <span className={hidden.hidden}>, about {domain}</span>
        </TextLink>
      )}
      {age !== undefined && (
        <span className={styles.old}>
          {isShort ? 'Old export' : `Export is ${formatCount(age)} days old`}
          {onUpload && '. '}
          {onUpload && (
            <button
              type="button"
              className={styles.upload}
              onClick={onUpload}
              aria-label={`Upload a new one for ${domain}`}
            >
              Upload a new one
            </button>
          )}
        </span>
      )}
    </div>
  );
}

/** 'Watching', 'Not watched', or what is missing before a website can be watched. */
export function describeWatch({ enabled, hosts }: Website['watch']): string {
  if (!enabled) return 'Not watched';
  return hosts > 0 ? 'Watching' : 'Watching starts with the next export';
}

const dayMs = 86_400_000;

/** Returns the age of an export in days if it is too old, else undefined. `date` is ISO 8601. */
export function findExcessAge(date: string, now = Date.now()): number | undefined {
  const days = Math.floor((now - Date.parse(date)) / dayMs);
  return days >= maxExportAgeDays ? days : undefined;
}
