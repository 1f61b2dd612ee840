import type { Context } from '../context.ts';

const quietFor = 60_000;

/**
 * For each event whose signature is refused. With a wrong secret that is every one, and payments go unseen: operators read of it
 * once a minute at most, as anybody may send events. Nothing of the event is told.
 */
export function unsignedWarning({ log, now }: Pick<Context, 'log' | 'now'>): () => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return () => {
    const time = now().getTime();
    if (time - toldAt < quietFor) return;
    toldAt = time;
    log.warn(
      "an event for Stripe's webhook is refused: if Stripe sent it, STRIPE_WEBHOOK_SECRET is not that of its endpoint, or this clock is wrong",
    );
  };
}
