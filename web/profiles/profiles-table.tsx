import type { OwnedProfile } from '#shared/profiles.ts';
import { Breakable } from '../ui/breakable.tsx';
import { Button } from '../ui/button.tsx';
import { CardTable, type Column } from '../ui/card-table.tsx';
import { DateText } from '../ui/date-text.tsx';
import styles from './manage-profiles-page.module.css';

interface Props {
  label: string;
  profiles: OwnedProfile[];
  isStale?: boolean;
  onTransfer(profile: OwnedProfile): void;
  onDelete(profile: OwnedProfile): void;
}

/** Everybody's websites, each with what an admin can do about it. */
export function ProfilesTable({ label, profiles, isStale = false, onTransfer, onDelete }: Props) {
  const columns: Column<OwnedProfile>[] = [
    { name: 'ID', width: '84px', cell: ({ id }) => id },
    { name: 'Domain', onCard: 'title', cell: ({ domain }) => <Breakable>{domain}</Breakable> },
    { name: 'Owner', width: '30%', cell: (profile) => <Owner profile={profile} /> },
    { name: 'Date Added', width: '128px', cell: ({ dateAdded }) => <DateText value={dateAdded} /> },
    {
      name: 'Actions',
      width: '220px',
      onCard: 'actions',
      cell: (profile) => <ProfileActions profile={profile} onTransfer={onTransfer} onDelete={onDelete} />,
    },
  ];
  return <CardTable label={label} columns={columns} rows={profiles} keyOf={({ id }) => id} isStale={isStale} />;
}

function Owner({ profile: { userInfo } }: { profile: OwnedProfile }) {
  if (!userInfo) return <span className={styles.quiet}>No owner</span>;
  return (
    <>
      {userInfo.displayName || userInfo.username}
      <span className={styles.email}>
        <Breakable>{userInfo.email}</Breakable>
      </span>
    </>
  );
}

type ActionsProps = Pick<Props, 'onTransfer' | 'onDelete'> & { profile: OwnedProfile };

export function ProfileActions({ profile, onTransfer, onDelete }: ActionsProps) {
  const word = profile.userInfo ? 'Transfer' : 'Assign';
  return (
    <div className={styles.actions}>
      <Button size="xs" variant="default" aria-label={`${word}: ${profile.domain}`} onClick={() => onTransfer(profile)}>
        {word}
      </Button>
      <Button
        size="xs"
        variant="light"
        color="red"
        aria-label={`Delete: ${profile.domain}`}
        onClick={() => onDelete(profile)}
      >
        Delete
      </Button>
    </div>
  );
}
