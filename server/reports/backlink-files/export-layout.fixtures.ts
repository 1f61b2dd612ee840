/** Builds exports as bytes, with the given columns, delimiter, quotes and encoding. */

export interface Link {
  /** The linking page, or any text to put in its cell. */
  page: string;
  target?: string;
  title?: string;
  anchor?: string;
}

export interface ExportFixture {
  name: string;
  tool: string;
  report: string;
  /** Name of the source column as shown on screen. */
  column: string;
  delimiter: string;
  encoding: string;
  /** Lines before the first link. */
  linesBefore: number;
  /** The source column contains bare domains. */
  bareDomains?: true;
  build(links: readonly Link[]): Buffer;
}

interface Layout {
  header: readonly string[];
  /** Cells by column name; other columns are empty. */
  cells(link: Link, index: number): Record<string, string>;
  delimiter?: string;
  quoteAll?: boolean;
  eol?: string;
  preamble?: readonly string[];
  encode?(text: string): Buffer;
}

export const splitHeader = (names: string) => names.split(',');
const utf8 = (text: string) => Buffer.from(text);
export const utf8WithMark = (text: string) => Buffer.from(`\ufeff${text}`);
export const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
export const target = (link: Link) => link.target ?? 'https://www.mine.example/page/';
export const title = (link: Link) => link.title ?? 'A page, with a comma';
export const anchor = (link: Link) => link.anchor ?? 'say "hello"';

export function buildExport(layout: Layout, links: readonly Link[]): Buffer {
  const { delimiter = ',', quoteAll = false, eol = '\n', preamble = [], encode = utf8 } = layout;
  const cell = (text: string) =>
    quoteAll || /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  const rows = links.map((link, index) => {
    const cells = layout.cells(link, index);
    return layout.header.map((name) => cells[name.trim()] ?? '');
  });
  const lines = [...preamble, ...[layout.header, ...rows].map((row) => row.map(cell).join(delimiter))];
  return encode(lines.map((line) => line + eol).join(''));
}

export function buildFixture(
  about: Omit<ExportFixture, 'build' | 'delimiter' | 'encoding' | 'linesBefore'>,
  layout: Layout,
): ExportFixture {
  const delimiterNames: Record<string, string> = { '\t': 'tab', ';': 'semicolon' };
  return {
    ...about,
    delimiter: delimiterNames[layout.delimiter ?? ','] ?? 'comma',
    encoding: layout.encode === utf16 ? 'UTF-16LE' : 'UTF-8',
    linesBefore: (layout.preamble?.length ?? 0) + 1,
    build: (links) => buildExport(layout, links),
  };
}
