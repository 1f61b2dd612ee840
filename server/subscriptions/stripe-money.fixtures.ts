import { type Form, textOf } from './form.fixtures.ts';
import { type Answer, done, fault, missing, newId } from './stripe-answers.fixtures.ts';

/** A bill that was paid by card. In cents and seconds. */
interface Bill {
  invoice: string;
  customer: string;
  amount: number;
  paidAt: number;
  intent: string;
  refunded: boolean;
}

/** The money at Stripe: what was charged, what was given back, and what became credit. */
export function openTill() {
  const bills: Bill[] = [];
  const credits = new Map<string, number>();

  return {
    /** @returns the id of the invoice */
    charge(customer: string, amount: number, paidAt: number): string {
      const bill = { invoice: newId('in'), customer, amount, paidAt, intent: newId('pi'), refunded: false };
      bills.push(bill);
      return bill.invoice;
    },
    credit(customer: string, amount: number): void {
      credits.set(customer, (credits.get(customer) ?? 0) + amount);
    },
    listPayments(form: Form): Answer {
      const data = bills
        .filter(({ invoice }) => invoice === textOf(form, 'invoice'))
        .map(({ invoice, amount, intent, paidAt }) => ({
          ...{ id: newId('inpay'), object: 'invoice_payment', invoice, amount_paid: amount, status: 'paid' },
          payment: { type: 'payment_intent', payment_intent: intent },
          status_transitions: { paid_at: paidAt, canceled_at: null },
        }));
      return done({ object: 'list', data, has_more: false, url: '/v1/invoice_payments' });
    },
    refund(form: Form): Answer {
      const bill = bills.find(({ intent }) => intent === textOf(form, 'payment_intent'));
      if (!bill) return missing();
      if (bill.refunded) return fault(400, 'invalid_request_error', 'charge_already_refunded');
      bill.refunded = true;
      return done({ id: newId('re'), object: 'refund', amount: bill.amount, status: 'succeeded' });
    },
    /** As though it had been paid so many days before. */
    age(invoice: string, days: number): void {
      for (const bill of bills) if (bill.invoice === invoice) bill.paidAt -= days * 86_400;
    },
    /** What a customer has paid and was not given back, and what they have of it as credit. */
    moneyOf(customer: string) {
      const paid = bills.filter((bill) => bill.customer === customer && !bill.refunded);
      return { paid: paid.reduce((sum, { amount }) => sum + amount, 0), credit: credits.get(customer) ?? 0 };
    },
  };
}
