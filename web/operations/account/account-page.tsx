import { Avatar, Badge, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Check, LogOut } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { apiKeyLimits } from '#shared/accounts/api-keys.ts';
import { maxBulkDomains } from '#shared/checks/key-checks.ts';
import { accountQuery } from '../../accounts/sessions/queries.ts';
import { UserPicture, useLogOut, useUser } from '../../accounts/sessions/session.tsx';
import { formatSearchLimit } from '../../accounts/subscriptions/subscriptions.ts';
import { paths } from '../../paths.ts';
import { lazyPart } from '../../platform/load-part.ts';
import { useListUrl } from '../../platform/use-list-url.ts';
import { useTitle } from '../../platform/use-title.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { LoadTogether, TabSkeleton } from '../../ui/load-together.tsx';
import screen from '../../ui/screen.module.css';
import { Page, TextLink } from '../../ui/screen.tsx';
import { Facts, Section, Sections } from '../../ui/section.tsx';
import { useHash } from '../../ui/served.ts';
import { Breakable } from '../../ui/text.tsx';
import { Hint } from '../../ui/typography.ts';
import styles from './account-page.module.css';
import { accountSearch, accountTabs } from './search.ts';
import { ConfirmEmail } from './settings/confirm-email.tsx';
import { UnconfirmedEmail } from './settings/unconfirmed-email.tsx';
import { WebsitesTab } from './settings/websites-tab.tsx';
import { PaymentNotice, usePaymentReturn } from './subscription/payment-return.tsx';
import { Support } from './subscription/support.tsx';
import { needsConfirmation, useSubscription } from './subscription/use-subscription.ts';

/** The tabs besides the first. */
const parts = {
  'api-keys': lazyPart(() => import('./settings/api-key-tab.tsx'), 'ApiKeyTab'),
  notifications: lazyPart(() => import('./settings/notifications-tab.tsx'), 'NotificationsTab'),
  profile: lazyPart(() => import('./settings/profile-tab.tsx'), 'ProfileTab'),
  privacy: lazyPart(() => import('./settings/privacy-tab.tsx'), 'PrivacyTab'),
};

const tabNames = {
  websites: 'My Websites',
  'api-keys': 'API Keys',
  notifications: 'Notifications',
  profile: 'Profile & security',
  privacy: 'Privacy & data',
};

export function AccountPage() {
  useTitle('My Account');
  const { search, reset } = useListUrl(accountSearch);
  const { tab = 'websites' } = search;
  const { isEmailConfirmed } = useUser();
  const hash = useHash();
  const { payment, forget } = usePaymentReturn();
  const subscription = useSubscription(payment && needsConfirmation(payment) ? payment : undefined);
  const tabList = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another tab is selected
  useEffect(() => showSelectedTab(tabList.current), [tab]);
  const openTab = (name: string | null) => {
    const next = accountTabs.find((known) => known === name && known !== 'websites');
    void reset({ tab: next }, { replace: true });
  };
  return (
    <Page>
      <Title order={1}>My Account</Title>
      <UserCard />
      {/* The link of a confirmation email opens the profile with a token. */}
      {!isEmailConfirmed && (hash && tab === 'profile' ? <ConfirmEmail token={hash} /> : <UnconfirmedEmail />)}
      {payment && <PaymentNotice payment={payment} state={subscription} />}
      <Tabs value={tab} onChange={openTab} className={styles.tabs}>
        <Tabs.List ref={tabList} className={screen.tabs}>
          {accountTabs.map((name) => {
            const preload = () => name !== 'websites' && parts[name].preload?.();
            return (
              <Tabs.Tab key={name} value={name} onPointerEnter={preload} onFocus={preload}>
                {tabNames[name]}
              </Tabs.Tab>
            );
          })}
        </Tabs.List>
        {accountTabs.map((name) => {
          const Part = name === 'websites' ? undefined : parts[name];
          return (
            <Tabs.Panel key={name} value={name} className={screen.panel}>
              {Part ? (
                <Suspense fallback={<TabSkeleton />}>
                  <Part />
                </Suspense>
              ) : (
                <LoadTogether>
                  <Stack gap="md">
                    <WebsitesTab />
                    <Sections>
                      <AccountFacts />
                      <AccessCard>
                        <Support state={subscription} onChange={forget} />
                      </AccessCard>
                    </Sections>
                  </Stack>
                </LoadTogether>
              )}
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </Page>
  );
}

/**
 * Scrolls the list of tabs sideways to the selected one, which may be outside its visible part on a phone. The page
 * stays: its user may have scrolled it before the app started, and be pressing a button.
 */
function showSelectedTab(list: HTMLElement | null): void {
  const selected = list?.querySelector('[aria-selected="true"]')?.getBoundingClientRect();
  if (!list || !selected) return;
  const visible = list.getBoundingClientRect();
  list.scrollLeft += Math.min(0, selected.left - visible.left) + Math.max(0, selected.right - visible.right);
}

function UserCard() {
  const user = useUser();
  const logOut = useLogOut();
  return (
    <div className={styles.user}>
      <div className={styles.words}>
        <Avatar color="brand" size={40} radius="100%" aria-hidden>
          <UserPicture user={user} />
        </Avatar>
        <div>
          <Text className={styles.name}>{user.displayName || 'User'}</Text>
          <Hint>{user.email}</Hint>
        </div>
      </div>
      <div className={styles.actions}>
        {user.isAdmin && (
          <ButtonLink to={paths.admin} variant="default">
            Admin Dashboard
          </ButtonLink>
        )}
        <ButtonLink to={paths.riskAssessment} variant="default">
          Risk Assessment
        </ButtonLink>
        <Button variant="default" leftSection={<LogOut size={15} aria-hidden />} onClick={() => void logOut()}>
          Logout
        </Button>
      </div>
    </div>
  );
}

/** The facts of the account, with a link to change them. */
function AccountFacts() {
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
function AccessCard({ children }: { children: ReactNode }) {
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
