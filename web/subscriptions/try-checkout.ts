import { startCheckout, type Tier } from '#shared/subscriptions.ts';
import { urlOf } from '../lib/api.ts';
import { webAddress } from './subscriptions.ts';

/** What the server answered to a checkout that was tried out. */
export interface CheckoutTry {
  /** As it came. */
  response: string;
  /** A whole address. */
  url?: string;
  /** Nothing to pay, and so no checkout. */
  direct: boolean;
  problem?: string;
}

/** Asks for a checkout, and takes whatever comes for an answer: the page is there to show it. */
export async function tryCheckout(tier: Tier, userId: number): Promise<CheckoutTry> {
  const answer = await fetch(urlOf(startCheckout), {
    method: startCheckout.method,
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tier, userId }),
  }).catch(() => undefined);
  if (!answer) return { response: '', direct: false, problem: 'Failed to test checkout' };
  const response = await answer.text();
  let body: { url?: unknown; direct?: unknown; error?: unknown } | null;
  try {
    body = JSON.parse(response);
  } catch {
    return { response, direct: false, problem: `Invalid JSON response: ${response.slice(0, 100)}` };
  }
  const read = { response, direct: body?.direct === true };
  if (!answer.ok) {
    const sentence = typeof body?.error === 'string' ? body.error : '';
    return { ...read, problem: sentence || 'Failed to test checkout' };
  }
  const url = typeof body?.url === 'string' && body.url !== '' ? webAddress(body.url) : undefined;
  return url === undefined ? { ...read, problem: 'No checkout URL in response' } : { ...read, url };
}
