import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useUser } from '../session/session.tsx';
import { DateText } from '../ui/date-text.tsx';
import { Breakable } from '../ui/text.tsx';
import classes from './account-page.module.css';
import { AccountSection } from './account-section.tsx';
import { accountQuery } from './queries.ts';

export function AccountFacts() {
  const user = useUser();
  const account = useQuery(accountQuery);
  return (
    <AccountSection title="Account information">
      <dl className={classes.facts}>
        <dt>Username</dt>
        <dd>{user.username}</dd>
        <dt>Email</dt>
        <dd>
          <Breakable>{user.email}</Breakable>
        </dd>
        <dt>Display name</dt>
        <dd>{user.displayName || 'Not given'}</dd>
        <dt>Member since</dt>
        <dd>
          {account.isPending ? (
            <Skeleton height={16} width={110} mt={2} />
          ) : (
            <DateText value={account.data?.memberSince} pattern="long" missing="Unknown" />
          )}
        </dd>
      </dl>
    </AccountSection>
  );
}
