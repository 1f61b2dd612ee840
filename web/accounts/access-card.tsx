import { Badge, Text } from '@mantine/core';
import { Check } from 'lucide-react';
import { apiKeyLimits } from '#shared/api-keys.ts';
import { bulkLimit } from '#shared/key-checks.ts';
import { useUser } from '../session/session.tsx';
import { searchesOf } from '../subscriptions/subscriptions.ts';
import classes from './account-page.module.css';
import { AccountSection } from './account-section.tsx';
import type { Payment } from './subscription/payment-return.tsx';
import { Support } from './subscription/support.tsx';

interface Props {
  /** What the person did at Stripe just now. */
  payment: Payment | undefined;
  /** Runs after something was done about what they pay for. */
  onChange(): void;
}

/** The plan, the same for everybody, and what it allows. */
export function AccessCard({ payment, onChange }: Props) {
  const { subscriptionStatus, searchLimit } = useUser();
  const limits = [
    searchesOf(searchLimit),
    'Unlimited website profiles',
    `${apiKeyLimits.requestsADay} API requests per day`,
    `Up to ${apiKeyLimits.maxKeys} API keys`,
    `Bulk check up to ${bulkLimit} domains per request`,
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
      <Support payment={payment} onChange={onChange} />
    </AccountSection>
  );
}
