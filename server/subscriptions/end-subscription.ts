import Stripe from 'stripe';
import { isGone } from './stripe.ts';

/** Two checkouts end within a day each; who has paid both, or paid after they left, is told of within some days more. */
const lately = 3 * 86_400_000;

/**
 * Ends a subscription at once. A payment of the last days before `at` is paid back; of an older one what is left becomes credit of
 * the customer's. Safe to run twice: the money goes first, and goes back once.
 */
export async function endSubscription(stripe: Stripe, subscription: Stripe.Subscription, at: Date): Promise<void> {
  const paidBack = await payBack(stripe, subscription, at);
  try {
    await stripe.subscriptions.cancel(subscription.id, paidBack ? {} : { prorate: true, invoice_now: true });
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** @returns whether the last bill's payment is on its way back */
async function payBack(stripe: Stripe, { latest_invoice: invoice }: Stripe.Subscription, at: Date): Promise<boolean> {
  if (!invoice) return false;
  const id = typeof invoice === 'string' ? invoice : invoice.id;
  const { data } = await stripe.invoicePayments.list({ invoice: id, status: 'paid' });
  const late = data.filter(({ status_transitions: { paid_at } }) => (paid_at ?? 0) * 1000 > at.getTime() - lately);
  let paidBack = false;
  for (const { payment } of late) if (await refund(stripe, payment)) paidBack = true;
  return paidBack;
}

async function refund(stripe: Stripe, { payment_intent, charge }: Stripe.InvoicePayment.Payment): Promise<boolean> {
  const of = payment_intent ? { payment_intent: idOf(payment_intent) } : charge && { charge: idOf(charge) };
  if (!of) return false;
  try {
    await stripe.refunds.create({ ...of, reason: 'duplicate' });
    return true;
  } catch (error) {
    // One that cannot be paid back, as where the bank has taken it back: credit is what is left.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    return error.code === 'charge_already_refunded';
  }
}

const idOf = (object: string | { id: string }) => (typeof object === 'string' ? object : object.id);
