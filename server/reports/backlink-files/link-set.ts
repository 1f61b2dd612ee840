import { toLinkText } from '../../hostnames/links/links.ts';
import { type CsvRecord, cellText } from '../../platform/csv/csv-record.ts';
import { UnreadableFile } from '../../platform/csv/unreadable-file.ts';

/** The links of several files, to recognize those that an earlier file contains too. */
export interface LinkSet {
  /**
   * Adds a link and returns whether an earlier file contains it. Two links of one file are never the same.
   * @param file the number of the file, ascending
   * @param target the slot of the cell with the target; undefined if the file does not name targets, so that its links
   *   are the same as any link from that page
   */
  add(file: number, record: CsvRecord, target: number | undefined): boolean;
}

/**
 * Creates an empty set. It needs about 60 bytes per link. `add` throws an UnreadableFile above a number of links.
 */
export function createLinkSet({ maxLinks = 10_000_000 } = {}): LinkSet {
  const firstFiles = createFirstFiles();
  let links = 0;
  return {
    add(file, record, target) {
      links += 1;
      if (links > maxLinks) {
        const limit = maxLinks.toLocaleString('en-US');
        throw new UnreadableFile(
          'too_large',
          `These files have more than ${limit} links in total. Analyze them in several uploads.`,
        );
      }
      const page = normalizePage(cellText(record, 0));
      const pageIsNew = firstFiles.add(`page ${page}`, file);
      if (target === undefined) {
        firstFiles.add(`any ${page}`, file);
        return !pageIsNew;
      }
      const linkIsNew = firstFiles.add(`link ${page} ${normalizePage(cellText(record, target))}`, file);
      return !linkIsNew || firstFiles.isEarlier(`any ${page}`, file);
    },
  };
}

const pagePattern = /^\s*(?:[a-z]+:\/\/)?(?:www\.)?([^/?#\s]*)([^#]*)/i;
const plainHost = /^[\w.-]+$/;

/**
 * Returns a form in which spellings of the same page are equal: without scheme, `www.`, fragment, last slash and what
 * surrounds the link in its cell. A plain URL is not unwrapped, because that takes three times as long.
 */
function normalizePage(text = ''): string {
  let [, host = '', rest = ''] = pagePattern.exec(text) ?? [];
  if (!plainHost.test(host) || /^\s+\S/.test(rest)) [, host = '', rest = ''] = pagePattern.exec(toLinkText(text)) ?? [];
  return host.toLowerCase() + rest.trim().replace(/\/$/, '');
}

/**
 * Remembers for each text the first file that contained it: a hash table with open addressing in flat arrays. Texts are
 * equal if their 53-bit hashes are.
 */
function createFirstFiles() {
  let slots = 1 << 16;
  let hashes = new Float64Array(slots);
  let files = new Uint16Array(slots);
  let used = 0;

  function findSlot(hash: number): number {
    let slot = hash % slots;
    while (hashes[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) % slots;
    return slot;
  }

  function grow(): void {
    const [oldHashes, oldFiles] = [hashes, files];
    slots *= 2;
    hashes = new Float64Array(slots);
    files = new Uint16Array(slots);
    for (const [i, hash] of oldHashes.entries()) {
      if (hash === 0) continue;
      const slot = findSlot(hash);
      hashes[slot] = hash;
      files[slot] = oldFiles[i] as number;
    }
  }

  return {
    /** Returns false if an earlier file contained the text. */
    add(text: string, file: number): boolean {
      const hash = hashText(text);
      const slot = findSlot(hash);
      if (hashes[slot] !== 0) return files[slot] === file;
      hashes[slot] = hash;
      files[slot] = file;
      used += 1;
      if (used * 2 > slots) grow();
      return true;
    },
    isEarlier(text: string, file: number): boolean {
      const slot = findSlot(hashText(text));
      return hashes[slot] !== 0 && (files[slot] as number) < file;
    },
  };
}

/** Random in each process, so that colliding texts cannot be prepared. */
const seeds = [Math.random(), Math.random()].map((random) => (random * 2 ** 32) | 0) as [number, number];

/** Two hashes like FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/), joined to an integer of 53 bits above 0. */
function hashText(text: string): number {
  let [low, high] = seeds;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 16_777_619);
    high = Math.imul(high ^ code, 2_246_822_519);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0) || 1;
}
