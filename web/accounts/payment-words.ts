import type { Payment } from './use-payment-return.ts';

/** What a person is told who comes from a checkout. */
export function paymentWords({ outcome, isTest, isSimulated }: Payment): { title: string; description: string } {
  const test = 'This was a test: no money moved.';
  if (outcome === undefined) return { title: 'Test checkout', description: test };
  if (outcome === 'canceled') {
    return { title: 'Checkout canceled', description: isTest ? test : 'Nothing was charged.' };
  }
  if (isSimulated) {
    return { title: 'Subscription Activated', description: 'The checkout was simulated: no money moved.' };
  }
  return { title: 'Payment successful', description: isTest ? test : 'Thank you for supporting Linksieve.' };
}
