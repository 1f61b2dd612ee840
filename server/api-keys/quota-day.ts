import { apiKeyLimits } from '#shared/api-keys.ts';
import { type HttpError, tooManyRequests } from '../http/errors.ts';

/** The UTC day of a moment, 'YYYY-MM-DD'. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10);

/** When the next UTC day begins. */
export function nextDay(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1));
}

/** 429 for work that costs more requests than are left of a key's day. */
export function tooFewLeft(cost: number, left: number, now: Date): HttpError {
  const begins = nextDay(now);
  const again = `The count begins anew at 00:00 UTC on ${utcDay(begins)}.`;
  const sentence =
    left === 0
      ? `This key has none of its ${apiKeyLimits.requestsADay} requests left today.`
      : `This asks for ${cost} requests, and this key has ${left} left today: please ask for fewer at once.`;
  return tooManyRequests(`${sentence} ${again}`, (begins.getTime() - now.getTime()) / 1000);
}

/** 429 for a call that finds too many others waiting for what may still be given back. By the next try it has been, or not. */
export function tooManyWaiting(): HttpError {
  return tooManyRequests('Too many calls with this API key wait for its last requests of today. Please try again.', 2);
}
