import { formatCopyRow } from '../../platform/db/copy.ts';

/** Separate links, and the cells of a link (migrations/0001_baseline.sql). */
export const linkSeparator = '\u001e';
export const cellSeparator = '\u001f';

export interface HarmfulLink {
  /** The position of the listed domain in the report. */
  domain: number;
  page: string;
  isNofollow: boolean;
  anchor: string | undefined;
  targetPage: string | undefined;
  /** YYYY-MM-DD. */
  firstSeen: string | undefined;
}

export interface LinkBlocks {
  /**
   * Adds a link at the next position of a stream.
   * @returns lines for `copyLinks`, an empty text while the blocks are not full
   */
  add(stream: number, position: number, link: HarmfulLink): string;
  /** @returns the lines of the last blocks */
  finish(): string;
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
 * Collects the links of a report in blocks. The positions of a stream are consecutive, and those of a later stream
 * higher. Blocks of neighboring streams are joined where no position is missing between them.
 */
export function createLinkBlocks(reportId: number): LinkBlocks {
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

  return {
    add(stream, position, link) {
      const text = formatLink(link);
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
    finish,
  };
}

function formatLink({ domain, page, isNofollow, anchor, targetPage, firstSeen }: HarmfulLink): string {
  const text =
    domain +
    cellSeparator +
    withoutSeparators(page) +
    cellSeparator +
    (isNofollow ? 't' : '') +
    cellSeparator +
    withoutSeparators(anchor ?? '') +
    cellSeparator +
    withoutSeparators(targetPage ?? '') +
    cellSeparator +
    (firstSeen ?? '');
  let end = text.length;
  while (text[end - 1] === cellSeparator) end -= 1;
  return text.slice(0, end);
}

/** The separators are control characters that no address or anchor needs. */
const withoutSeparators = (cell: string) => cell.replaceAll(linkSeparator, ' ').replaceAll(cellSeparator, ' ');
