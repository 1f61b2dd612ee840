/** Of what the person pays for, in the cache of what was loaded. */
export const subscriptionKey = ['subscription'];
