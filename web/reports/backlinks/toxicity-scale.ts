/** The scale ends here, where Very High begins, unless a value is higher: 5% and 10% are far apart. */
const fineMax = 20;
/** Where the scale breaks if it continues above `fineMax`: its position, 0 to 1. */
const breakPosition = 0.75;

export interface ToxicityScale {
  /** The percentages at the end of each part of the scale. */
  ends: number[];
  /** Where the compressed part begins, 0 to 1; null if the scale has none. */
  breakAt: number | null;
  /** Returns the position of a percentage, 0 to 1. */
  toPosition(percentage: number): number;
}

/**
 * A scale for percentages up to `highest`. It is linear up to 20%. For higher values, a compressed part follows, which
 * ends at a round number.
 */
export function createToxicityScale(highest: number): ToxicityScale {
  if (highest <= fineMax) {
    return { ends: [fineMax], breakAt: null, toPosition: (percentage) => percentage / fineMax };
  }
  const max = Math.min(100, Math.ceil(highest / 20) * 20);
  return {
    ends: [fineMax, max],
    breakAt: breakPosition,
    toPosition: (percentage) =>
      percentage <= fineMax
        ? (percentage / fineMax) * breakPosition
        : breakPosition + ((percentage - fineMax) / (max - fineMax)) * (1 - breakPosition),
  };
}

/** The scale of everything that is compared across websites. */
export const fullScale = createToxicityScale(100);
