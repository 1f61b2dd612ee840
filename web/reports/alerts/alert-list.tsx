import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { useRef } from 'react';
import type { RiskLevel } from '#shared/blacklist/domains.ts';
import type { Alert } from '#shared/reports/alerts.ts';
import type { Decision } from '#shared/reports/decisions.ts';
import { ConfidenceBadge, RiskBadge, SourceCount } from '../../blacklist/domains/domains.tsx';
import { paths } from '../../paths.ts';
import { plural } from '../../platform/format.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import hidden from '../../ui/hidden.module.css';
import { TextLink } from '../../ui/screen.tsx';
import { DecisionButtons } from '../decisions/decisions.tsx';
import { describeEvents, eventTexts } from '../watch/watch.tsx';
import styles from './alert-list.module.css';
import { type AlertGroup, countEvents } from './groups.ts';

interface Handlers {
  onDecide(alert: Alert, decision: Decision | null): void;
  /** Called when the user follows a link of the alert. */
  onOpen(alert: Alert): void;
}

interface AlertListProps extends Handlers {
  groups: readonly AlertGroup[];
  onRead(ids: number[]): void;
}

/** A page of alerts, by website and comparison with the blacklist. */
export function AlertList({ groups, onRead, ...handlers }: AlertListProps) {
  return groups.map((group) => <Group key={group.key} group={group} onRead={onRead} {...handlers} />);
}

function Group({ group, onRead, ...handlers }: Omit<AlertListProps, 'groups'> & { group: AlertGroup }) {
  const { alerts, isPartial } = group;
  const heading = useRef<HTMLHeadingElement>(null);
  const unread = alerts.filter(({ readAt }) => readAt === null);
  const [first] = alerts;
  if (!first) return null;
  const { website, at } = first;
  return (
    <div className={styles.group}>
      <header className={styles.head}>
        <h2 ref={heading} tabIndex={-1}>
          <span data-mono>{website}</span>
        </h2>
        <DateText value={at} pattern="time" />
        <span>
          {describeEvents(countEvents(alerts))}
          {isPartial && ' on this page'}
        </span>
        {unread.length > 0 && (
          <Button
            size="xs"
            variant="subtle"
            className={styles.read}
            aria-label={`Mark as read: ${plural(unread.length, 'alert')} of ${website}`}
            onClick={() => {
              // The button disappears when the alerts are read.
              heading.current?.focus({ preventScroll: true });
              onRead(unread.map((alert) => alert.id));
            }}
          >
            Mark as read
          </Button>
        )}
      </header>
      <ul className={styles.rows} aria-label={`Alerts of ${website}`}>
        {alerts.map((alert) => (
          <AlertRow key={alert.id} alert={alert} {...handlers} />
        ))}
      </ul>
    </div>
  );
}

function AlertRow({ alert, onDecide, onOpen }: Handlers & { alert: Alert }) {
  const { domain, event, readAt, confidence } = alert;
  const { label, Icon } = eventTexts[event];
  return (
    <li className={styles.row} data-unread={readAt === null || undefined}>
      <div className={styles.what}>
        <Link
          to={paths.domainPage}
          params={{ name: domain }}
          className={styles.domain}
          data-row={domain}
          data-mono
          onClick={() => onOpen(alert)}
        >
          {domain}
        </Link>
        {readAt === null && <span className={hidden.hidden}> Unread</span>}
        <div className={styles.event} data-event={event}>
          <Icon size={14} aria-hidden />
          {label}
        </div>
      </div>
      <div className={styles.change}>
        <Level level={alert.from} />
        <ArrowRight size={14} aria-hidden />
        <span className={hidden.hidden}>to</span>
        <Level level={alert.to} />
      </div>
      <div className={styles.evidence}>
        {confidence && <ConfidenceBadge confidence={confidence} />}
        <SourceCount {...alert} />
      </div>
      <Links alert={alert} onOpen={onOpen} />
      <div className={styles.decision}>
        <DecisionButtons row={alert} without={findNeedless(alert)} onDecide={(decision) => onDecide(alert, decision)} />
      </div>
    </li>
  );
}

/** A domain that is no longer listed needs no disavowal. */
export const findNeedless = (alert: Alert | undefined) => (alert?.event === 'delisted' ? 'disavow' : undefined);

const Level = ({ level }: { level: RiskLevel | null }) =>
  level ? <RiskBadge level={level} /> : <span data-quiet>Not listed</span>;

/** The number of links, which leads to the domain in the newest report. */
function Links({ alert, onOpen }: { alert: Alert; onOpen: Handlers['onOpen'] }) {
  const { domain, backlinks, reportId } = alert;
  const text = plural(backlinks, 'link');
  if (reportId === null) return <div className={styles.links}>{text}</div>;
  return (
    <div className={styles.links}>
      <TextLink
        to={paths.report}
        params={{ id: String(reportId) }}
        search={{ search: domain }}
        inherit
        onClick={() => onOpen(alert)}
      >
        {text}
        <span className={hidden.hidden}> from {domain} in the last report</span>
      </TextLink>
    </div>
  );
}
