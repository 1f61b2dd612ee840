import * as z from 'zod/mini';
import { Tier } from '#shared/accounts/subscriptions.ts';

/**
 * The search parameters of the simulated checkout. A `userId` in the URL is ignored: users always pay for themselves.
 */
export const checkoutSearch = z.object({ tier: z.catch(Tier, 'standard') });
