/** Every advisory lock of the product. They share one space of numbers in a database, so they stand in one list. */
export const locks = {
  /** Held while an embedded database has an owner. */
  owner: 7_243_119_501,
  /** Held while the schema is brought up to date. */
  migrate: 7_243_119_502,
  /**
   * Held by whatever rewrites the kept counts: folding, compacting and rebuilding wait for each other, writers of domains do not.
   * The trigger on emptying `domains` names it too (migrations/0002_domains.sql).
   */
  counts: 7_243_119_503,
  /** Held while an import is merged into the blacklist. */
  merge: 7_243_119_504,
  /** Held while it is found out at Stripe what somebody pays for, and written down. */
  settle: 7_243_119_505,
  /** Held with a user's id (two numbers are a space of their own) while that user's running analyses are counted and one more begins. */
  beginAnalysis: 724_311_951,
  /** Held with a hash of what is counted, while it is decided whether there were too many of it. */
  throttle: 724_311_952,
} as const;
