import { randomBytes } from 'node:crypto';

export type Form = { [name: string]: string | Form };

/** Reads `a[b][0]=c` as Stripe does; a list becomes an object with its places as names. */
export function readForm(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter(Boolean);
    const last = path.pop() ?? '';
    let place = form;
    for (const step of path) {
      const inner = place[step] ?? {};
      if (typeof inner === 'string') throw new Error(`${name} is a text and a list at once`);
      place[step] = inner;
      place = inner;
    }
    place[last] = value;
  }
  return form;
}

/** A part of it, empty where there is none. */
export const partOf = (form: Form, ...path: string[]): Form =>
  path.reduce<Form>((place, step) => (typeof place[step] === 'object' ? place[step] : {}), form);

export const textOf = (form: Form, name: string): string | null =>
  typeof form[name] === 'string' && form[name] !== '' ? form[name] : null;

export interface Answer {
  status: number;
  body: unknown;
}

export const newId = (kind: string) => `${kind}_${randomBytes(12).toString('hex')}`;

export const ok = (body: unknown): Answer => ({ status: 200, body });

export const list = (data: unknown[]): Answer => ok({ object: 'list', data, has_more: false });

export const fault = (status: number, type: string, code?: string): Answer => ({
  status,
  body: { error: { type, code, message: `No: ${code ?? type}` } },
});

/** As for a parameter that does not fit. */
export const refused = () => fault(400, 'invalid_request_error');

export const missing = () => fault(404, 'invalid_request_error', 'resource_missing');

export const month = 30 * 86_400;

export interface Price {
  id: string;
  object: 'price';
  product: string;
  lookup_key: string | null;
  unit_amount: number;
}

/** The next plan of a subscription. In seconds. */
export interface Schedule {
  id: string;
  object: 'subscription_schedule';
  phases: { start_date: number; end_date: number; items: { price: string; quantity: number }[] }[];
}

/** As much of a subscription as is looked at. */
export interface Subscription {
  id: string;
  object: 'subscription';
  created: number;
  customer: string;
  status: string;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  metadata: Record<string, string>;
  schedule: Schedule | null;
  items: { data: { id: string; current_period_end: number; price: Price }[] };
}

export interface Customer {
  form: Form;
  isDeleted: boolean;
}
