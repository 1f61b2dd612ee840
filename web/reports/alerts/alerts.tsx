import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { paths } from '../../paths.ts';
import { formatCount } from '../../platform/format.ts';
import buttons from '../../ui/menu-button.module.css';
import styles from './alerts.module.css';
import { unreadQuery } from './queries.ts';

const maxShown = 99;

/** The link to the alerts in the header, with the number of unread ones. */
export function AlertsBell() {
  const { data: unread = 0 } = useQuery(unreadQuery);
  const label = unread > 0 ? `Alerts, ${formatCount(unread)} unread` : 'Alerts';
  return (
    <Link to={paths.alerts} className={`${buttons.button} ${styles.bell}`} aria-label={label} title={label}>
      <Bell size={18} aria-hidden />
      {unread > 0 && <span className={styles.count}>{unread > maxShown ? `${maxShown}+` : unread}</span>}
    </Link>
  );
}
