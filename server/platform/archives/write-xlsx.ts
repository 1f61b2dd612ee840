import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

// The parts and elements are those of ECMA-376, Office Open XML, part 1, chapter 18 (SpreadsheetML).

/** A text, a number, or a day. Null is an empty cell. Texts are never formulas. */
export type XlsxValue = string | number | Date | null;

export interface XlsxColumn {
  name: string;
  /** In characters. */
  width: number;
}

/** Positions in `cellXfs` of the style sheet. */
const boldStyle = 1;
const dayStyle = 2;

/**
 * Returns an Excel workbook with one sheet as a stream of bytes. Its first row has the names of the columns, in bold;
 * it stays visible while scrolling and has a filter. Rows are read while the file is sent, so its size is not limited
 * by memory. Excel opens up to 1,048,576 rows.
 */
export function writeXlsx(
  sheetName: string,
  columns: readonly XlsxColumn[],
  rows: AsyncIterable<readonly XlsxValue[]>,
): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const sheet = Readable.from(writeSheet(columns, rows), { objectMode: false });
  // yazl does not listen to errors of its inputs, and does not stop them when nobody reads the output. It reads the
  // first rows at once, so an error can occur before the caller listens. The stream then stays destroyed.
  const fail = (error: Error) => output.destroy(error);
  sheet.on('error', fail);
  zip.on('error', fail);
  output.on('error', () => undefined);
  output.once('close', () => sheet.destroy());
  const parts: Record<string, string> = {
    '[Content_Types].xml': contentTypes,
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': workbook(sheetName),
    'xl/_rels/workbook.xml.rels': relationships([
      ['worksheet', 'worksheets/sheet1.xml'],
      ['styles', 'styles.xml'],
    ]),
    'xl/styles.xml': styles,
  };
  for (const [name, xml] of Object.entries(parts)) zip.addBuffer(Buffer.from(declaration + xml), name);
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml');
  zip.end();
  return output;
}

/** Yields the XML of the sheet in chunks of about 64 kB. */
async function* writeSheet(
  columns: readonly XlsxColumn[],
  rows: AsyncIterable<readonly XlsxValue[]>,
): AsyncGenerator<string> {
  const widths = columns.map(({ width }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`);
  const header = columns.map(({ name }, column) => textCell(reference(column, 1), name, boldStyle)).join('');
  let xml =
    `${declaration}<worksheet ${mainNamespace}><sheetViews><sheetView tabSelected="1" workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${widths.join('')}</cols><sheetData><row r="1">${header}</row>`;
  let count = 1;
  for await (const row of rows) {
    count += 1;
    xml += `<row r="${count}">${row.map((value, column) => toCell(reference(column, count), value)).join('')}</row>`;
    if (xml.length < 65_536) continue;
    yield xml;
    xml = '';
  }
  yield `${xml}</sheetData><autoFilter ref="A1:${reference(columns.length - 1, count)}"/></worksheet>`;
}

/** @param column zero-based, up to 25 */
const reference = (column: number, row: number) => `${String.fromCharCode(65 + column)}${row}`;

function toCell(at: string, value: XlsxValue): string {
  if (value === null || value === '') return '';
  if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`;
  if (value instanceof Date) return `<c r="${at}" s="${dayStyle}"><v>${toSerialDay(value)}</v></c>`;
  return textCell(at, value);
}

const textCell = (at: string, text: string, style = 0) =>
  `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`;

const dayMs = 24 * 60 * 60 * 1000;

/** The UTC day as Excel counts days: from 1899-12-30. */
const toSerialDay = (date: Date) => Math.floor((date.getTime() - Date.UTC(1899, 11, 30)) / dayMs);

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML 1.0 does not allow
const notInXml = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/** Escapes a text for XML. Excel reads `_x0041_` as an escaped character, so its underscore is escaped too. */
const escapeText = (text: string) =>
  text
    .toWellFormed()
    .replace(notInXml, '')
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const formats = 'http://schemas.openxmlformats.org';
const mainNamespace = `xmlns="${formats}/spreadsheetml/2006/main"`;
const relationshipNamespace = `${formats}/officeDocument/2006/relationships`;

const relationships = (targets: readonly (readonly [type: string, target: string])[]) =>
  `<Relationships xmlns="${formats}/package/2006/relationships">${targets
    .map(
      ([type, target], i) =>
        `<Relationship Id="rId${i + 1}" Type="${relationshipNamespace}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

const workbook = (sheetName: string) =>
  `<workbook ${mainNamespace} xmlns:r="${relationshipNamespace}"><sheets>` +
  `<sheet name="${escapeText(sheetName)}" sheetId="1" r:id="rId1"/></sheets></workbook>`;

const partType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const contentTypes =
  `<Types xmlns="${formats}/package/2006/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${partType}.sheet.main+xml"/>` +
  `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${partType}.worksheet+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${partType}.styles+xml"/></Types>`;

const styles =
  `<styleSheet ${mainNamespace}><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts>` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';
