import { Link } from '@tanstack/react-router';
import { CopyButton } from '../ui/copy-button.tsx';
import styles from './domain-link.module.css';

/** A domain's name as a link to its details, over the list as it stands. */
export function DomainLink({ id, name }: { id: number; name: string }) {
  return (
    <span className={styles.domain}>
      <Link
        to="."
        search={(before: object) => ({ ...before, domain: id, dialog: undefined })}
        state={{ overList: true }}
        resetScroll={false}
        preload={false}
        className={styles.name}
        title={name}
      >
        {name}
      </Link>
      <span className={styles.copy}>
        <CopyButton value={name} label={`Copy ${name}`} />
      </span>
    </span>
  );
}
