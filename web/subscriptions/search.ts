import * as z from 'zod/mini';
import type { Tier } from '#shared/subscriptions.ts';

// Not imported from shared/subscriptions.ts, because the routes are part of the first load.
const tiers = ['free', 'standard', 'business'] as const satisfies readonly Tier[];

/**
 * The search parameters of the simulated checkout. A `userId` in the URL is ignored: users always pay for themselves.
 */
export const checkoutSearch = z.object({ tier: z.catch(z.enum(tiers), 'standard') });
