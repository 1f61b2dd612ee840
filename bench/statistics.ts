/** Returns the value that a part of the numbers is below: 0.99 for the p99. NaN for an empty list. */
export function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Returns the median: the upper of the two middle numbers for an even count, NaN for an empty list. */
export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);

/** The median and the 95th percentile. */
export const summarize = (numbers: readonly number[]) => ({
  median: median(numbers),
  p95: quantile(numbers, 0.95),
});

/** Returns how much y grows for each unit of x: the slope of the line through the points with the least squares. */
export function slope(points: readonly { x: number; y: number }[]): number {
  const mean = (pick: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)];
  return mean(({ x, y }) => (x - meanX) * (y - meanY)) / mean(({ x }) => (x - meanX) ** 2);
}

/** Returns the seconds that the work takes. */
export async function measureSeconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}
