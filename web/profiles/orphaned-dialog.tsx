import { Modal, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { OwnedProfile } from '#shared/profiles.ts';
import { DateText } from '../ui/date-text.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import styles from './manage-profiles-page.module.css';
import { ProfileActions } from './profiles-table.tsx';
import { orphanedQuery } from './queries.ts';

interface Props {
  opened: boolean;
  onClose(): void;
  onAssign(profile: OwnedProfile): void;
  onDelete(profile: OwnedProfile): void;
}

/** Websites whose owner is gone: each is given to somebody or deleted. */
export function OrphanedDialog({ opened, onClose, onAssign, onDelete }: Props) {
  const orphans = useQuery({ ...orphanedQuery, enabled: opened });
  const { data } = orphans;
  return (
    <Modal opened={opened} onClose={onClose} title="Orphaned Profiles" size="lg">
      <Text size="sm" c="dimmed" mb="sm">
        Websites whose owner deleted the account. While they stand here nobody can add them again.
      </Text>
      {orphans.isError && !data && <ErrorState error={orphans.error} onRetry={() => void orphans.refetch()} />}
      {orphans.isPending && <Skeleton height={120} radius="md" />}
      {data?.length === 0 && <EmptyState title="No orphaned profiles found" order={3} />}
      {data && data.length > 0 && (
        <ul className={styles.orphans}>
          {data.map((profile) => (
            <li key={profile.id}>
              <div>
                <div className={styles.domain}>{profile.domain}</div>
                <Text size="xs" c="dimmed">
                  No. {profile.id}, added <DateText value={profile.dateAdded} />,{' '}
                  {profile.reportCount === 1 ? '1 report' : `${profile.reportCount} reports`}
                </Text>
              </div>
              <ProfileActions profile={profile} onTransfer={onAssign} onDelete={onDelete} />
            </li>
          ))}
        </ul>
      )}
    </Modal>
  );
}
