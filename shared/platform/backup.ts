import * as z from 'zod/mini';

/**
 * `dateLast` and `bytes` are those of the last good run, null if there is none. `failures` counts the failed ones since
 * then, and `error` says why the newest one failed.
 */
const outcome = {
  dateLast: z.nullable(z.string()),
  bytes: z.nullable(z.number()),
  failures: z.number(),
  error: z.nullable(z.string()),
};

/**
 * The state of scheduled backups, of their copies in a bucket (null if there is none), and of test restores. The
 * figures of `test` are those of the last good one, and `obstacle` says why a test is not possible.
 */
export const BackupStatus = z.object({
  intervalHours: z.number(),
  isEncrypted: z.boolean(),
  ...outcome,
  copy: z.nullable(z.object(outcome)),
  test: z.object({
    ...outcome,
    rows: z.nullable(z.number()),
    tables: z.nullable(z.number()),
    seconds: z.nullable(z.number()),
    /** Whether the copy in the bucket was restored. */
    isFromBucket: z.nullable(z.boolean()),
    obstacle: z.nullable(z.string()),
  }),
});
export type BackupStatus = z.infer<typeof BackupStatus>;
