import { Avatar, Badge, Container, SimpleGrid, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Check, LogOut } from 'lucide-react';
import type { ReactNode } from 'react';
import { apiKeyLimits } from '#shared/api-keys.ts';
import { maxBulkDomains } from '#shared/key-checks.ts';
import { pageState } from '../lib/page-state.ts';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { UserPicture, useLogOut, useUser } from '../session/session.tsx';
import { formatSearchLimit } from '../subscriptions/subscriptions.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { DateText } from '../ui/date-text.tsx';
import { Breakable } from '../ui/text.tsx';
import classes from './account-page.module.css';
import { AccountSection } from './account-section.tsx';
import { accountQuery } from './queries.ts';
import { accountTabs } from './search.ts';
import { ApiKeyTab } from './settings/api-key-tab.tsx';
import { SecurityTab } from './settings/security-tab.tsx';
import { WebsitesTab } from './settings/websites-tab.tsx';
import { PaymentNotice, usePaymentReturn } from './subscription/payment-return.tsx';
import { Support } from './subscription/support.tsx';

const tabs = {
  websites: { name: 'My Websites', Panel: WebsitesTab },
  'api-keys': { name: 'API Keys', Panel: ApiKeyTab },
  security: { name: 'Security', Panel: SecurityTab },
};

const route = getRouteApi('/signed-in/account');

export function AccountPage() {
  useTitle('My Account');
  const { tab = 'websites' } = route.useSearch();
  const navigate = useNavigate();
  const { payment, forget } = usePaymentReturn();
  const isReal = pageState().takesPayments && payment && !payment.isTest && !payment.isSimulated;
  const openTab = (name: string | null) => {
    const next = accountTabs.find((known) => known === name && known !== 'websites');
    void navigate({ to: paths.account, search: { tab: next }, replace: true, resetScroll: false });
  };
  return (
    <Container size={960} pt={28} pb={40}>
      <Title order={1} mb="lg">
        My Account
      </Title>
      <Stack gap="md">
        {payment && <PaymentNotice payment={payment} />}
        <UserCard />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <AccountFacts />
          <AccessCard>
            <Support payment={isReal && payment.outcome !== 'canceled' ? payment : undefined} onChange={forget} />
          </AccessCard>
        </SimpleGrid>
      </Stack>
      <Tabs value={tab} onChange={openTab} keepMounted={false} mt="xl">
        <Tabs.List>
          {accountTabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {tabs[name].name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {accountTabs.map((name) => {
          const { Panel } = tabs[name];
          return (
            <Tabs.Panel key={name} value={name} pt="md">
              <Panel />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </Container>
  );
}

function UserCard() {
  const user = useUser();
  const logOut = useLogOut();
  return (
    <div className={classes.user}>
      <div className={classes.words}>
        <Avatar color="brand" size={48} radius="100%" aria-hidden>
          <UserPicture user={user} />
        </Avatar>
        <div>
          <Text fw={600}>{user.displayName || 'User'}</Text>
          <Text size="sm" c="dimmed">
            {user.email}
          </Text>
        </div>
      </div>
      <div className={classes.actions}>
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

function AccountFacts() {
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
        <dd>{user.displayName || 'Not set'}</dd>
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
    <AccountSection
      title="Account access"
      aside={
        <Badge variant="light" color={subscriptionStatus === 'active' ? 'green' : 'gray'} tt="none">
          {subscriptionStatus}
        </Badge>
      }
    >
      <Text size="sm">
        Your plan is <strong>Full Access</strong>. Every feature is free.
      </Text>
      <ul className={classes.limits}>
        {limits.map((limit) => (
          <li key={limit}>
            <Check size={14} aria-hidden />
            {limit}
          </li>
        ))}
      </ul>
      {children}
    </AccountSection>
  );
}
