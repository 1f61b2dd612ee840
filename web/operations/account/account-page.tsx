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
import { pageState } from '../../platform/page-state.ts';
import { useListUrl } from '../../platform/use-list-url.ts';
import { useTitle } from '../../platform/use-title.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { LoadTogether } from '../../ui/load-together.tsx';
import screen from '../../ui/screen.module.css';
import { Page, TextLink } from '../../ui/screen.tsx';
import { Facts, Section, Sections } from '../../ui/section.tsx';
import { useHash } from '../../ui/served.ts';
import { PendingMarker } from '../../ui/states.tsx';
import { Breakable } from '../../ui/text.tsx';
import { Hint } from '../../ui/typography.ts';
import styles from './account-page.module.css';
import { accountSearch, accountTabs } from './search.ts';
import { AlertsTab } from './settings/alerts-tab.tsx';
import { ApiKeyTab } from './settings/api-key-tab.tsx';
import { PrivacyTab } from './settings/privacy-tab.tsx';
import { ProfileTab } from './settings/profile-tab.tsx';
import { SecurityTab } from './settings/security-tab.tsx';
import { UnconfirmedEmail } from './settings/unconfirmed-email.tsx';
import { WebsitesTab } from './settings/websites-tab.tsx';
import { PaymentNotice, usePaymentReturn } from './subscription/payment-return.tsx';
import { Support } from './subscription/support.tsx';
import { useSubscription } from './subscription/use-subscription.ts';

const WebhooksTab = lazyPart(() => import('../../accounts/webhooks/webhooks.tsx'), 'WebhooksTab');

const tabNames = {
  websites: 'My Websites',
  'api-keys': 'API Keys',
  alerts: 'Alerts',
  webhooks: 'Webhooks',
  profile: 'Profile',
  security: 'Security',
  privacy: 'Privacy & data',
};

const skeleton = <Skeleton height={420} radius="md" aria-label="Loading..." />;

export function AccountPage() {
  useTitle('My Account');
  const { search, reset } = useListUrl(accountSearch);
  const { tab = 'websites' } = search;
  const { isEmailConfirmed } = useUser();
  const hash = useHash();
  const { payment, forget } = usePaymentReturn();
  const isReal = pageState().takesPayments && payment && !payment.isTest && !payment.isSimulated;
  const subscription = useSubscription(isReal && payment.outcome !== 'canceled' ? payment : undefined);
  const tabList = useRef<HTMLDivElement>(null);
  // On a phone, the selected tab may be outside the visible part of the list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another tab is selected
  useEffect(() => {
    tabList.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tab]);
  const openTab = (name: string | null) => {
    const next = accountTabs.find((known) => known === name && known !== 'websites');
    void reset({ tab: next }, { replace: true });
  };
  const panels = {
    websites: (
      <LoadTogether skeleton={skeleton}>
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
    ),
    'api-keys': <ApiKeyTab />,
    alerts: (
      <LoadTogether skeleton={skeleton}>
        <AlertsTab />
      </LoadTogether>
    ),
    webhooks: (
      <Suspense
        fallback={
          <>
            <PendingMarker />
            {skeleton}
          </>
        }
      >
        <WebhooksTab />
      </Suspense>
    ),
    profile: <ProfileTab />,
    security: (
      <LoadTogether skeleton={skeleton}>
        <SecurityTab />
      </LoadTogether>
    ),
    privacy: <PrivacyTab />,
  };
  return (
    <Page size="var(--page-width)">
      <Title order={1}>My Account</Title>
      <UserCard />
      {/* The link of a confirmation email opens the profile with a token, and a button that confirms the address. */}
      {!isEmailConfirmed && !hash && <UnconfirmedEmail />}
      {payment && <PaymentNotice payment={payment} state={subscription} />}
      <Tabs value={tab} onChange={openTab} className={styles.tabs}>
        <Tabs.List ref={tabList} className={screen.tabs}>
          {accountTabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {tabNames[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {accountTabs.map((name) => (
          <Tabs.Panel key={name} value={name} className={screen.panel}>
            {panels[name]}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
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
