import { trimInvisible } from '../../hostnames/hosts/hosts.ts';
import { type CsvRecord, cellText } from '../../platform/csv/csv-record.ts';
import { normalizeHeader, normalizeHeaders } from './column-names.ts';
import { type DateOrder, dateOrders } from './export-dates.ts';

/** Flags of a row: the export says that the link no longer exists, or that it is marked nofollow. */
export const LOST = 1;
export const NOFOLLOW = 2;
/** The order of the dates of a table, in the flags of all of its rows. */
const DATE_ORDER = 4;
/** How many bits the flags of a row have. */
export const flagBits = 4;

export const toOrderFlags = (order: DateOrder): number => (order ? DATE_ORDER * (1 + dateOrders.indexOf(order)) : 0);
export const readOrderFlags = (flags: number): DateOrder => dateOrders[Math.floor(flags / DATE_ORDER) - 1];

interface FlagRule {
  flag: number;
  names: readonly string[];
  /** Matches the cells of links that have the flag. */
  pattern: RegExp;
}

/** What programs write for a yes. Spreadsheets translate TRUE when they save a file. */
const yes =
  'true|yes|y|1|x|\\+|✓|✔|wahr|ja|vrai|oui|verdadero|sí|vero|sì|verdadeiro|sim|prawda|tak|doğru|evet|истина|да';
const no = 'false|no|n|0|falsch|nein|faux|non|falso|não|fałsz|nie|yanlış|hayır|ложь|нет';
const nofollow = /(?<![a-z])no[- _]?follow(?![a-z])/i;
/** Matches a cell that says yes. */
export const isYes = new RegExp(`^(${yes})$`, 'iu');

/** What a status is about, with its article, and the verbs between it and a word of `lostWords`. */
const subject =
  '(?:(?:the|le|la|el|der|die|das) )?(?:back ?links?|links?|page|url|domain|site|lien|enlace|página|seite|ссылка|страница|strona)';
const verb = 'is|was|has been|est|a été|está|fue|ha sido|ist|wurde|был[аои]?|został[ao]?';
/** What programs write about a link that they no longer find. LNF is "link not found". */
const lostWords = [
  'lost|deleted|removed|dropped|gone|offline|missing|broken|dead|inactive|lnf',
  '(?:not|no longer) (?:found|live|present|detected|active)|notfound|(?:no|kein|sin) (?:back ?)?links?(?: found)?',
  'verloren(?:er)?|gelöscht(?:er)?|entfernt(?:er)?|nicht (?:mehr )?(?:gefunden|vorhanden)|defekt(?:er)?|fehlt',
  'perdue?|supprimée?|introuvable|non trouvée?|retirée?|aucun lien',
  'perdid[oa]|eliminad[oa]|no encontrad[oa]|borrad[oa]|rot[oa]|sin enlace',
  'perso|rimosso|eliminato|non trovato|removid[oa]|excluíd[oa]|não encontrad[oa]|niet gevonden|verwijderd',
  'потерян[ао]?|удал[её]н[ао]?|не найден[ао]?|снят[ао]?|нет ссылки',
  'utracony|utracona|usunięt[yae]|nie znaleziono|bulunamadı|silindi|ztracen[ýo]?|nenalezen[ao]?',
].join('|');
/** What can follow in the same phrase. Other words change its meaning: `Not found in index`, `Missing anchor`. */
const rest = `${subject}|any ?more|error|since|by|at|on(?= \\d)|(?:on|from) (?:the )?(?:source|target )?(?:page|site|website|source)`;
/** A phrase about a lost link. Its words can be joined by underscores or hyphens. */
const lostPhrase =
  `(?:${subject} )?(?:(?:${verb}) )?(?:${lostWords})(?: (?:${rest})(?![\\p{L}\\d])|(?![\\p{L}\\d]| \\p{L}))`.replaceAll(
    ' ',
    '[\\s_-]',
  );
const lostCode = '(?:(?:error|status|code|page|https?\\S*):?\\s)*(?:404|410)(?![\\p{L}\\d])';

/**
 * The columns that say whether a link is lost or nofollow. A column `Lost` contains the day on which the link was lost,
 * as text or as the serial number of a workbook, or a yes; other links have an empty cell or a dash. A column `Lost
 * status` contains the reason, such as `Link removed` or `Noindex`.
 */
const flagRules: readonly FlagRule[] = [
  {
    flag: LOST,
    names: ['lost', 'day lost', 'date lost', 'datelost', 'lost date', 'lost link', 'link lost', 'is lost', 'lost at'],
    pattern: new RegExp(
      `${isYes.source}|^lost$|^(\\d{4}[-/.年]\\d{1,2}\\b|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d|\\d{1,2}(\\. ?|[ -])\\p{L}|\\p{L}{3,9}\\.? \\d{1,2},? \\d{4}|\\d{5}(\\.\\d+)?$)`,
      'iu',
    ),
  },
  { flag: LOST, names: ['flagdeleted', 'flag deleted', 'deleted', 'is deleted'], pattern: isYes },
  {
    flag: LOST,
    names: ['lost status'],
    pattern: new RegExp(`^(?!(${no}|-|–|—|n/?a|live|active)$).`, 'iu'),
  },
  {
    flag: LOST,
    names: [
      'link status',
      'backlink status',
      'monitoring status',
      'current status',
      'link check',
      'link state',
      'monitor status',
      'check result',
      'result',
      'response',
      'status',
      'state',
      'linkstatus',
      'statut',
      'statut du lien',
      'état',
      'état du lien',
      'estado',
      'estado del enlace',
      'stato',
      'статус',
      'статус ссылки',
    ],
    pattern: new RegExp(`^[^\\p{L}\\d]{0,5}(?:${lostPhrase}|${lostCode})`, 'iu'),
  },
  {
    flag: LOST,
    names: ['live', 'is live', 'link live', 'backlink live', 'found', 'link found', 'backlink found'],
    pattern: new RegExp(`^(${no})$`, 'iu'),
  },
  {
    flag: LOST,
    names: [
      'status code',
      'http status',
      'http status code',
      'http code',
      'http response',
      'response code',
      'page status',
      'code http',
      'código http',
    ],
    pattern: /^(http\S* )?(404|410)(?!\d)/i,
  },
  {
    flag: NOFOLLOW,
    names: ['nofollow', 'no follow', 'no-follow', 'is nofollow', 'flagnofollow', 'flag no follow', 'flag nofollow'],
    pattern: new RegExp(`${isYes.source}|${nofollow.source}`, 'iu'),
  },
  {
    flag: NOFOLLOW,
    names: ['dofollow', 'do follow', 'follow', 'is dofollow'],
    pattern: new RegExp(`^(${no}|no[- _]?follow)$`, 'iu'),
  },
  {
    flag: NOFOLLOW,
    names: [
      'follow/nofollow',
      'dofollow/nofollow',
      'link type',
      'type',
      'link rel',
      'rel',
      'rel attribute',
      'link attribute',
      'link attributes',
      'attribut',
      'attributs',
      'attributes',
      'atributo',
      'attributo',
      'linktyp',
      'link-typ',
      'linkart',
      'link-art',
      'typ',
      'type de lien',
      'type du lien',
      'tipo',
      'tipo de enlace',
      'tipo de link',
      'tipo di link',
      'тип',
      'тип ссылки',
    ],
    pattern: nofollow,
  },
];

/** A column that says whether links have a flag. */
export interface FlagColumn {
  column: number;
  flag: number;
  pattern: RegExp;
}

const ruleByName = new Map(flagRules.flatMap((rule) => normalizeHeaders(rule.names).map((name) => [name, rule])));

/** Returns the columns of a header that say whether links have a flag. Each of them can set it. */
export function findFlagColumns(header: readonly string[]): FlagColumn[] {
  return header.flatMap((cell, column) => {
    const rule = ruleByName.get(normalizeHeader(cell));
    return rule ? [{ column, flag: rule.flag, pattern: rule.pattern }] : [];
  });
}

/** Cells of a flag column are remembered as bytes up to this number, because most columns have two or three values. */
const maxRemembered = 8;

/**
 * Returns a function that returns the flags of a record.
 * @param firstSlot the slot of the first of the columns in the record
 */
export function createFlagReader(columns: readonly FlagColumn[], firstSlot: number): (record: CsvRecord) => number {
  const readers = columns.map(({ flag, pattern }, i) => {
    const slot = firstSlot + i;
    const known: { bytes: Buffer; value: number }[] = [];
    return (record: CsvRecord): number => {
      const start = record.starts[slot] ?? -1;
      const end = record.ends[slot] ?? start;
      if (start < 0 || start === end) return 0;
      for (const { bytes, value } of known) if (isEqual(record.buffer, start, end, bytes)) return value;
      const value = pattern.test(trimInvisible(cellText(record, slot) ?? '')) ? flag : 0;
      if (known.length < maxRemembered) known.push({ bytes: Buffer.from(record.buffer.subarray(start, end)), value });
      return value;
    };
  });
  return (record) => {
    let flags = 0;
    for (const read of readers) flags |= read(record);
    return flags;
  };
}

function isEqual(buffer: Buffer, start: number, end: number, bytes: Buffer): boolean {
  if (end - start !== bytes.length) return false;
  for (let i = 0; i < bytes.length; i += 1) if (buffer[start + i] !== bytes[i]) return false;
  return true;
}
