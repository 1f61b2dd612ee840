import { randomBytes } from 'node:crypto';

export type Form = { [name: string]: string | Form };

/** Parses parameters such as `a[b][0]=c` as Stripe does. Lists become objects whose keys are the indexes. */
export function parseForm(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter(Boolean);
    const last = path.pop() ?? '';
    let place = form;
    for (const step of path) {
      const inner = place[step] ?? {};
      if (typeof inner === 'string') throw new Error(`${name} is both a value and a list`);
      place[step] = inner;
      place = inner;
    }
    place[last] = value;
  }
  return form;
}

/** Returns a nested form; an empty one if it is missing. */
export const getForm = (form: Form, ...path: string[]): Form =>
  path.reduce<Form>((place, step) => (typeof place[step] === 'object' ? place[step] : {}), form);

export const getText = (form: Form, name: string): string | null =>
  typeof form[name] === 'string' && form[name] !== '' ? form[name] : null;

export interface StripeResponse {
  status: number;
  body: unknown;
}

export const newId = (kind: string) => `${kind}_${randomBytes(12).toString('hex')}`;

export const okResponse = (body: unknown): StripeResponse => ({ status: 200, body });

export const listResponse = (data: unknown[]): StripeResponse => okResponse({ object: 'list', data, has_more: false });

export const errorResponse = (status: number, type: string, code?: string): StripeResponse => ({
  status,
  body: { error: { type, code, message: `No: ${code ?? type}` } },
});

/** The response to invalid parameters. */
export const badRequestResponse = () => errorResponse(400, 'invalid_request_error');

export const notFoundResponse = () => errorResponse(404, 'invalid_request_error', 'resource_missing');

export const month = 30 * 86_400;

export interface Price {
  id: string;
  object: 'price';
  product: string;
  lookup_key: string | null;
  unit_amount: number;
}

/** A scheduled change of plan. Times are Unix timestamps in seconds. */
export interface Schedule {
  id: string;
  object: 'subscription_schedule';
  phases: { start_date: number; end_date: number; items: { price: string; quantity: number }[] }[];
}

/** The fields of a subscription that the product reads. */
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
