import { formatCopyRow } from '../../platform/db/copy.ts';
import type { HarmfulLink } from '../backlink-files/page-spool.ts';

/** Separate links, and the cells of a link (migrations/0001_baseline.sql). */
export const linkSeparator = '\u001e';
export const cellSeparator = '\u001f';

/** A listed name that covers hosts of an upload, and all of their links. */
export interface CoveringName {
  name: string;
  /** The number of its registrable domain. */
  domain: number;
  /** Backlinks that are not lost. */
  backlinks: number;
  lostBacklinks: number;
  /** The bits of the signals that its hosts show. */
  signals: number;
}

/** What the links of a listed domain have in common. */
export interface LinkFacts {
  /** The earliest date of all links as YYYY-MM-DD; undefined without a date. */
  firstSeen: string | undefined;
  /** The number of nofollow links that are not lost. */
  nofollowBacklinks: number;
}

/** PostgreSQL compresses a text of this length well, and reads it as fast as a page of links. */
const maxBlockLength = 32_768;
/** All blocks that are not full, so that any number of streams fits into memory. */
const maxPendingLength = 8 * 1024 * 1024;

interface Block {
  position: number;
  count: number;
  links: string;
}

/**
 * Collects the links of a report in blocks. The links of a name have consecutive positions, first those of all names
 * that are not lost, then the lost ones. They start at the sum of the counts before them, so every link gets its final
 * position without sorting. Blocks of neighboring names are joined where no position is missing between them.
 * @param names the names in the order of their positions in the report
 */
export function createLinkBlocks(reportId: number, names: readonly { backlinks: number; lostBacklinks: number }[]) {
  const facts = names.map((): LinkFacts => ({ firstSeen: undefined, nofollowBacklinks: 0 }));
  /** The next position of each name's links, then of its lost links. */
  let total = 0;
  const next = [...names.map(({ backlinks }) => backlinks), ...names.map(({ lostBacklinks }) => lostBacklinks)].map(
    (count) => {
      total += count;
      return total - count;
    },
  );
  /** Blocks that are not full, by the same numbers. */
  const pending = new Map<number, Block>();
  let pendingLength = 0;

  const format = ({ position, links }: Block) => formatCopyRow([reportId, position, links]);

  function finish(): string {
    let lines = '';
    let joined: Block | undefined;
    for (const [, block] of [...pending].sort(([a], [b]) => a - b)) {
      const follows = joined && joined.position + joined.count === block.position;
      if (joined && follows && joined.links.length + block.links.length < maxBlockLength) {
        joined.links += linkSeparator + block.links;
        joined.count += block.count;
        continue;
      }
      if (joined) lines += format(joined);
      joined = block;
    }
    pending.clear();
    pendingLength = 0;
    return joined ? lines + format(joined) : lines;
  }

  function addFacts(name: number, { isLost, isNofollow, firstSeen }: HarmfulLink): void {
    const known = facts[name] as LinkFacts;
    if (isNofollow && !isLost) known.nofollowBacklinks += 1;
    if (firstSeen !== undefined && !(known.firstSeen !== undefined && known.firstSeen <= firstSeen))
      known.firstSeen = firstSeen;
  }

  return {
    /** What the links that were added say about each name. */
    facts,
    /**
     * Adds a link of the name at a position of the report.
     * @returns lines for `copyLinks`, an empty text while the blocks are not full
     */
    add(name: number, link: HarmfulLink): string {
      addFacts(name, link);
      const stream = link.isLost ? names.length + name : name;
      const position = next[stream] as number;
      next[stream] = position + 1;
      const text = formatLink(name, link);
      const block = pending.get(stream);
      if (!block) pending.set(stream, { position, count: 1, links: text });
      else {
        block.links += linkSeparator + text;
        block.count += 1;
      }
      pendingLength += text.length + 1;
      if (pendingLength > maxPendingLength) return finish();
      if (!block || block.links.length < maxBlockLength) return '';
      pending.delete(stream);
      pendingLength -= block.links.length;
      return format(block);
    },
    /** @returns the lines of the last blocks */
    finish,
  };
}

function formatLink(
  name: number,
  { page, isNofollow, anchor, targetPage, firstSeen, firstSeenText }: HarmfulLink,
): string {
  const text =
    name +
    cellSeparator +
    withoutSeparators(page) +
    cellSeparator +
    (isNofollow ? 't' : '') +
    cellSeparator +
    withoutSeparators(anchor ?? '') +
    cellSeparator +
    withoutSeparators(targetPage ?? '') +
    cellSeparator +
    (firstSeen ?? withoutSeparators(firstSeenText ?? ''));
  let end = text.length;
  while (text[end - 1] === cellSeparator) end -= 1;
  return text.slice(0, end);
}

/** The separators are control characters that no address or anchor needs. */
const withoutSeparators = (cell: string) => cell.replaceAll(linkSeparator, ' ').replaceAll(cellSeparator, ' ');
