import { Alert } from '@mantine/core';
import { CircleCheck, Info } from 'lucide-react';
import { paymentWords } from './payment-words.ts';
import type { Payment } from './use-payment-return.ts';

/** How a checkout ended, for as long as the person stays on the screen. */
export function PaymentNotice({ payment }: { payment: Payment }) {
  const { title, description } = paymentWords(payment);
  const isGood = payment.outcome === 'success';
  const Icon = isGood ? CircleCheck : Info;
  // The toast has said it aloud.
  return (
    <Alert
      color={isGood ? 'green' : 'brand'}
      variant="light"
      role="note"
      title={title}
      icon={<Icon size={18} aria-hidden />}
    >
      {description}
    </Alert>
  );
}
