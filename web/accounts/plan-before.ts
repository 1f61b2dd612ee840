import { PaidTier } from '#shared/subscriptions.ts';

const key = 'plan-before';

/** Remembers, before the browser leaves for the checkout of a larger plan, the one that the person has. */
export function rememberPlan(tier: PaidTier): void {
  inStorage((storage) => storage.setItem(key, tier));
}

/** The plan before the checkout that was left for last; undefined where there was none. */
export function planBefore(): PaidTier | undefined {
  return inStorage((storage) => PaidTier.safeParse(storage.getItem(key)).data);
}

export function forgetPlan(): void {
  inStorage((storage) => storage.removeItem(key));
}

function inStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    // Storage is switched off: any plan counts as the paid one.
    return undefined;
  }
}
