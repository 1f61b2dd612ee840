import * as z from 'zod/mini';

/** Patterns of an export, in the order of their bits in the database: new ones come last. */
export const signals = [
  'repeatedAnchors',
  'linkBursts',
  'sitewideLinks',
  'linkFarmPages',
  'sharedTitles',
  'sharedNetworks',
] as const;

export const Signal = z.enum(signals);
export type Signal = z.infer<typeof Signal>;

/** Returns the bit of a signal in a set of signals. */
export const toSignalBit = (signal: Signal): number => 1 << signals.indexOf(signal);

/** Returns the signals in a set of bits. */
export const toSignals = (bits: number): Signal[] => signals.filter((signal) => (bits & toSignalBit(signal)) !== 0);

/**
 * An example of a pattern.
 * - `anchor`, `title`, `author`, `address` (IP), `network` (/24): `text` is what `count` domains have in common
 * - `week`: in the week that starts at `text` (YYYY-MM-DD, a Monday), `count` domains linked for the first time;
 *   usually it is `usual`
 * - `links`: one domain links `count` times with the anchor `text`, which can be empty
 * - `page`: the page `text` links to `count` other domains, or has `count` external links if the export does not count
 *   domains
 */
export const SignalExample = z.object({
  kind: z.enum(['anchor', 'week', 'links', 'page', 'title', 'author', 'address', 'network']),
  text: z.string(),
  count: z.number(),
  usual: z.optional(z.number()),
  /** Up to three of the referring domains. */
  domains: z.array(z.string()),
});
export type SignalExample = z.infer<typeof SignalExample>;

/** What the links of an export that are not lost have in common. It never changes a risk, a rating or a toxicity. */
export const SignalResult = z.object({
  signal: Signal,
  /** Whether a table of the upload has the columns for it. */
  available: z.boolean(),
  /** Distinct registrable domains that show the pattern, listed or not. */
  domains: z.number(),
  /** Up to five, highest count first. */
  examples: z.array(SignalExample),
});
export type SignalResult = z.infer<typeof SignalResult>;
