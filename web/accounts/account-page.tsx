import { Container, SimpleGrid, Stack, Tabs, Title } from '@mantine/core';
import { pageState } from '../lib/page-state.ts';
import { useTitle } from '../lib/use-title.ts';
import { AccessCard } from './access-card.tsx';
import { AccountFacts } from './account-facts.tsx';
import { ApiKeyTab } from './api-key-tab.tsx';
import { MyWebsites } from './my-websites.tsx';
import { PersonCard } from './person-card.tsx';
import { accountTabs } from './search.ts';
import { SecurityTab } from './security-tab.tsx';
import { PaymentNotice, usePaymentReturn } from './subscription/payment-return.tsx';
import { useAccountTab } from './use-account-tab.ts';

const tabs = {
  websites: { name: 'My Websites', Panel: MyWebsites },
  'api-keys': { name: 'API Keys', Panel: ApiKeyTab },
  security: { name: 'Security', Panel: SecurityTab },
};

/** Who the person is here, what they may use, and what is theirs. */
export function AccountPage() {
  useTitle('My Account');
  const { tab, open } = useAccountTab();
  const { payment, forget } = usePaymentReturn();
  const isReal = pageState().takesPayments && payment && !payment.isTest && !payment.isSimulated;
  return (
    <Container size={960} pt={28} pb={40}>
      <Title order={1} mb="lg">
        My Account
      </Title>
      <Stack gap="md">
        {payment && <PaymentNotice payment={payment} />}
        <PersonCard />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <AccountFacts />
          <AccessCard payment={isReal && payment.outcome !== 'canceled' ? payment : undefined} onChange={forget} />
        </SimpleGrid>
      </Stack>
      <Tabs
        value={tab}
        onChange={(next) => open(accountTabs.find((name) => name === next))}
        keepMounted={false}
        mt="xl"
      >
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
