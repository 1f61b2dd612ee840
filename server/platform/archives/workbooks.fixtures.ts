import { strToU8, zipSync } from 'fflate';

type XlsxCell =
  | string
  | number
  | boolean
  | null
  | { inline: string }
  | { rich: readonly string[] }
  | { formula: string; value: string }
  | { text: string; link: string };

/** Rows of a sheet. `null` is a cell that the file does not contain. */
type XlsxRows = readonly (readonly XlsxCell[])[];

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Builds an Excel workbook. Texts are shared strings, as Excel writes them. `parts` replace files of the archive. */
export function buildXlsx(
  sheets: Record<string, XlsxRows>,
  { hidden = {}, parts = {} }: { hidden?: Record<string, XlsxRows>; parts?: Record<string, string> } = {},
): Uint8Array {
  const texts: string[] = [];
  const addText = (xml: string) => {
    texts.push(`<si>${xml}</si>`);
    return texts.length - 1;
  };
  const toCell = (cell: XlsxCell, reference: string): string => {
    if (cell === null) return '';
    if (typeof cell === 'string') {
      return `<c r="${reference}" t="s"><v>${addText(`<t>${escapeXml(cell)}</t><rPh sb="0" eb="1"><t>phonetic</t></rPh>`)}</v></c>`;
    }
    if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
    if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${cell ? 1 : 0}</v></c>`;
    if ('link' in cell) return `<c r="${reference}" t="str"><v>${escapeXml(cell.text)}</v></c>`;
    if ('inline' in cell) return `<c r="${reference}" t="inlineStr"><is><t>${escapeXml(cell.inline)}</t></is></c>`;
    if ('rich' in cell) {
      const runs = cell.rich.map((run) => `<r><t>${escapeXml(run)}</t></r>`).join('');
      return `<c r="${reference}" t="s"><v>${addText(runs)}</v></c>`;
    }
    return `<c r="${reference}" t="str"><f>${escapeXml(cell.formula)}</f><v>${escapeXml(cell.value)}</v></c>`;
  };
  const listLinks = (rows: XlsxRows) =>
    rows.flatMap((cells, row) =>
      cells.flatMap((cell, column) =>
        cell !== null && typeof cell === 'object' && 'link' in cell
          ? [{ reference: `${String.fromCharCode(65 + column)}${row + 1}`, link: cell.link }]
          : [],
      ),
    );
  const toRelationships = (rows: XlsxRows) =>
    `<Relationships>${listLinks(rows)
      .map(({ link }, i) => `<Relationship Id="l${i}" Target="${escapeXml(link)}" TargetMode="External"/>`)
      .join('')}</Relationships>`;
  const toSheet = (rows: XlsxRows): string => {
    const xml = rows.map((cells, row) => {
      const content = cells
        .map((cell, column) => toCell(cell, `${String.fromCharCode(65 + column)}${row + 1}`))
        .join('');
      return content === '' ? '' : `<row r="${row + 1}">${content}</row>`;
    });
    const links = listLinks(rows).map(({ reference }, i) => `<hyperlink ref="${reference}" r:id="l${i}"/>`);
    return `<worksheet><sheetData>${xml.join('')}</sheetData><hyperlinks>${links.join('')}</hyperlinks></worksheet>`;
  };
  const all = [...Object.entries(sheets), ...Object.entries(hidden)];
  // The files are in the opposite order of the tabs.
  const number = (i: number) => all.length - i;
  const files: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook><sheets>${all
      .map(
        ([name], i) =>
          `<sheet name="${escapeXml(name)}" sheetId="${i + 1}" r:id="rId${number(i)}"${name in hidden ? ' state="hidden"' : ''}/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${all
      .map((_, i) => `<Relationship Id="rId${i + 1}" Target="${i % 2 ? '/xl/' : ''}worksheets/sheet${i + 1}.xml"/>`)
      .join('')}</Relationships>`,
  };
  for (const [i, [, rows]] of all.entries()) {
    files[`xl/worksheets/sheet${number(i)}.xml`] = toSheet(rows);
    files[`xl/worksheets/_rels/sheet${number(i)}.xml.rels`] = toRelationships(rows);
  }
  files['xl/sharedStrings.xml'] = `<sst>${texts.join('')}</sst>`;
  return zipSync(
    Object.fromEntries(Object.entries({ ...files, ...parts }).map(([name, text]) => [name, strToU8(text)])),
  );
}

type OdsCell = string | { repeated?: number; text: string; link?: string; date?: string };
type OdsRow = readonly OdsCell[] | { repeated: number; cells: readonly OdsCell[] };

/** Builds an OpenDocument spreadsheet. */
export function buildOds(
  tables: Record<string, readonly OdsRow[]>,
  { hidden = {} }: { hidden?: Record<string, readonly OdsRow[]> } = {},
): Uint8Array {
  const toCell = (cell: OdsCell): string => {
    const { repeated = 1, text, link = '', date = '' } = typeof cell === 'string' ? { text: cell } : cell;
    const linked = link === '' ? escapeXml(text) : `<text:a xlink:href="${link}">${escapeXml(text)}</text:a>`;
    const content = text === '' ? '' : `<text:p>${linked}</text:p>`;
    const note = '<office:annotation><text:p>a note</text:p></office:annotation>';
    const value = date === '' ? '' : ` office:date-value="${date}"`;
    return `<table:table-cell table:number-columns-repeated="${repeated}"${value}>${note}${content}</table:table-cell>`;
  };
  const toRow = (row: OdsRow): string => {
    const { repeated, cells } = 'cells' in row ? row : { repeated: 1, cells: row };
    return `<table:table-row table:number-rows-repeated="${repeated}">${cells.map(toCell).join('')}</table:table-row>`;
  };
  const toStyle = (name: string, display: boolean) =>
    `<style:style style:name="${name}" style:family="table"><style:table-properties table:display="${display}"/></style:style>`;
  const styles = toStyle('ta1', true) + toStyle('ta2', false);
  const content = Object.entries({ ...tables, ...hidden })
    .map(
      ([name, rows]) =>
        `<table:table table:name="${escapeXml(name)}" table:style-name="${name in hidden ? 'ta2' : 'ta1'}">${rows.map(toRow).join('')}</table:table>`,
    )
    .join('');
  return zipSync({
    mimetype: strToU8('application/vnd.oasis.opendocument.spreadsheet'),
    'content.xml': strToU8(
      `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${content}</office:spreadsheet></office:body></office:document-content>`,
    ),
  });
}
