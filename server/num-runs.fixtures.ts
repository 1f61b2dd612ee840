/**
 * Returns how often a property is tried: all runs in the thorough tests, a fifth of them otherwise.
 * @param all the number of runs that proves it
 */
export const numRuns = (all: number): number => (process.env.TEST_THOROUGH === '1' ? all : Math.ceil(all / 5));
