import type { ParsedLine } from './parse.ts';
import type { Review } from './review.ts';

/** Smaller files are read again for each request, in a few milliseconds. */
export const minCachedLines = 5000;
/** Lines of all cached files: that of the largest one. They take about 60 MB. */
const maxCachedLines = 200_000;
/** A comparison is repeated after this time, because the blacklist changes. */
export const maxReviewAgeMs = 60_000;

/** A large file in memory. */
export interface CachedFile {
  parsed: readonly ParsedLine[];
  /** The newest comparison, with what it depends on besides the blacklist, and when it was started. */
  review?: { version: string; startedAt: Date; result: Promise<Review> };
}

export type ReviewCache = ReturnType<typeof createReviewCache>;

/**
 * Creates a cache of the large files that this process read last, so that the pages, filters and downloads of one do
 * not read and compare all its lines again. A file that is not used for a minute is removed.
 */
export function createReviewCache() {
  /** By the id of the file, the one that was used last at the end. */
  const files = new Map<number, { file: CachedFile; timer: NodeJS.Timeout }>();

  function remove(id: number): void {
    clearTimeout(files.get(id)?.timer);
    files.delete(id);
  }

  function set(id: number, file: CachedFile): void {
    remove(id);
    files.set(id, { file, timer: setTimeout(() => files.delete(id), maxReviewAgeMs).unref() });
    let lines = [...files.values()].reduce((sum, { file }) => sum + file.parsed.length, 0);
    for (const [oldest, { file }] of files) {
      if (lines <= maxCachedLines) break;
      lines -= file.parsed.length;
      remove(oldest);
    }
  }

  return {
    /** Returns a file, and keeps it for another minute. */
    find(id: number): CachedFile | undefined {
      const cached = files.get(id)?.file;
      if (cached) set(id, cached);
      return cached;
    },
    set,
  };
}
