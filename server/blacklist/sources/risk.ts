/**
 * Risk levels, 1 to 4, by the number of independent sources: the first is for one source, the last for five or more.
 */
export const riskBySourceCount = [1, 2, 2, 3, 4] as const;

/** Returns the risk level, 1 to 4, for a number of independent sources. */
export function getRiskForSourceCount(count: number): number {
  return riskBySourceCount[Math.min(count, riskBySourceCount.length) - 1] ?? 1;
}
