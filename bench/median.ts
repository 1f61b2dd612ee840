/** Returns the median: the upper of the two middle numbers for an even count, 0 for an empty list. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}
