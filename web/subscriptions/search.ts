import * as z from 'zod/mini';
import type { Tier } from '#shared/subscriptions.ts';

// Written out: the routes are part of the first load, which has no use for everything else about subscriptions.
const tiers = ['free', 'standard', 'business'] as const satisfies readonly Tier[];

/** What the address of the simulated checkout says. `userId` is read by nobody: a person pays for themselves. */
export const checkoutSearch = z.object({ tier: z.catch(z.enum(tiers), 'standard') });
