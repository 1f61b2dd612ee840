import { Badge, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { apiKeyLimits } from '#shared/accounts/api-keys.ts';
import { maxBulkDomains } from '#shared/checks/key-checks.ts';
import { accountQuery } from '../../accounts/sessions/queries.ts';
import { useUser } from '../../accounts/sessions/session.tsx';
import { formatSearchLimit } from '../../accounts/subscriptions/subscriptions.ts';
import { paths } from '../../paths.ts';
import { DateText } from '../../ui/date-text.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { Facts, Section } from '../../ui/section.tsx';
import { Breakable } from '../../ui/text.tsx';
import styles from './account-cards.module.css';

/** The facts of the account, with a link to change them. */
export function AccountFacts() {
  const user = useUser();
  const account = useQuery(accountQuery);
  return (
    <Section
      title="Account information"
      aside={
        <TextLink to={paths.account} search={{ tab: 'profile' }} size="sm" resetScroll={false}>
          Edit profile
        </TextLink>
      }
    >
      <Facts>
        <dt>Username</dt>
        <dd>{user.username}</dd>
        <dt>Email</dt>
        <dd>
          <Breakable>{user.email}</Breakable>
        </dd>
        <dt>Display name</dt>
        <dd>{user.displayName || 'Not set'}</dd>
        <dt>Member since</dt>
        <dd>
          {account.isPending ? (
            <Skeleton height={16} width={110} />
          ) : (
            <DateText value={account.data?.memberSince} pattern="long" missing="Unknown" />
          )}
        </dd>
      </Facts>
    </Section>
  );
}

/** The plan, which is the same for every user, and its limits. */
export function AccessCard({ children }: { children: ReactNode }) {
  const { subscriptionStatus, searchLimit } = useUser();
  const limits = [
    formatSearchLimit(searchLimit),
    'Unlimited website profiles',
    `${apiKeyLimits.requestsPerDay} API requests per day`,
    `Up to ${apiKeyLimits.maxKeys} API keys`,
    `Bulk check up to ${maxBulkDomains} domains per request`,
  ];
  return (
    <Section
      title="Account access"
      aside={<Badge color={subscriptionStatus === 'active' ? 'green' : 'gray'}>{subscriptionStatus}</Badge>}
    >
      <Text size="sm">
        Your plan is <strong>Full Access</strong>. Every feature is free.
      </Text>
      <ul className={styles.limits}>
        {limits.map((limit) => (
          <li key={limit}>
            <Check size={14} aria-hidden />
            {limit}
          </li>
        ))}
      </ul>
      {children}
    </Section>
  );
}
