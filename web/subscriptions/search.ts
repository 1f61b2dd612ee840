import * as z from 'zod/mini';
import { Tier } from '#shared/subscriptions.ts';

/** What the address of the simulated checkout says. `userId` is read by nobody: a person pays for themselves. */
export const checkoutSearch = z.object({ tier: z.catch(Tier, 'standard') });
