import { Tokenizer, TokenType } from '@streamparser/json';
import { scanFile } from '../../../platform/csv/file-bytes.ts';
import { UnreadableFile } from '../../../platform/csv/unreadable-file.ts';
import { type Entry, isName, toEntry } from './entry.ts';
import { listError, noJsonListError } from './list-errors.ts';
import { rankNameField } from './name-fields.ts';
import type { ByteScanner } from './scan-lines.ts';

/**
 * Where the items are: in the array of a field of the object in the file, in the array in the file, or one per line.
 */
export type JsonList = { field: string } | 'array' | 'rows';

const maxDepth = 100;
/** A name has up to 253 characters, and descriptions are skipped; a longer text is not a list. */
const maxTextLength = 2 ** 20;
const maxNumberLength = 1000;
/** Fields of objects in lists are few. */
const maxFields = 10_000;

/**
 * Finds the list in a JSON file. In an object it is the array with a field such as `domains`, or else the one with the
 * most domains; an array of exceptions only if there is no other one. Reads an object once completely.
 * @param start the start of the file
 */
export async function findJsonList(
  start: string,
  path: string,
  options: Parameters<typeof scanFile>[2],
): Promise<JsonList> {
  if (start.trimStart().startsWith('[')) return 'array';
  if (isRows(start)) return 'rows';
  const counts = new Map<string, number>();
  const scanner = createJsonReader(undefined, (entry, field) => {
    if (isName(entry) && (counts.has(field) || counts.size < maxFields))
      counts.set(field, (counts.get(field) ?? 0) + 1);
  });
  for await (const _ of scanFile(path, scanner, options));
  const [best] = [...counts].sort(([a, countA], [b, countB]) => rankList(b) - rankList(a) || countB - countA);
  if (best === undefined) throw noJsonListError();
  return { field: best[0] };
}

/** Whether the first two lines are an object each. */
function isRows(start: string): boolean {
  const [first = '', second = ''] = start.trimStart().split(/\r\n?|\n/, 2);
  return second.trimStart().startsWith('{') && first.trimEnd().endsWith('}');
}

function rankList(field: string): number {
  if (/allow|white|except|safe|ignore|unblock|reference|source/i.test(field)) return 0;
  return rankNameField(field) >= 0 || /black|block|deny|spam|list/i.test(field) ? 2 : 1;
}

/**
 * Creates a scanner that passes each item of the list to `add`, as the entry that a text or an object's fields make.
 */
export function createJsonScanner(list: JsonList, add: (entry: Entry) => void): ByteScanner {
  return createJsonReader(list, add);
}

interface Container {
  isArray: boolean;
  /** The field whose value is read, if the container is an object. */
  field: string;
  expectsField: boolean;
}

/**
 * Reads tokens, so that memory does not grow with the file, its longest text or its depth. Without a list, the items of
 * every array in a field of the object in the file are passed on with that field.
 */
function createJsonReader(list: JsonList | undefined, add: (entry: Entry, field: string) => void): ByteScanner {
  const open: Container[] = [];
  let isRead = false;
  /** The best field of the current item so far, if it is an object. */
  let item: { rank: number; entry: Entry } | undefined;
  /** The number of open containers around an item. */
  const itemDepth = list === 'rows' ? 0 : list === 'array' ? 1 : 2;

  const isItem = () =>
    open.length === itemDepth &&
    (itemDepth === 0 || open[itemDepth - 1]?.isArray === true) &&
    (typeof list !== 'object' || open[0]?.field === list.field);
  const emit = (entry: Entry) => add(entry, open[0]?.field ?? '');

  function readText(text: string): void {
    const parent = open.at(-1);
    if (parent?.expectsField === true) {
      parent.field = text;
      return;
    }
    if (isItem()) {
      emit(toEntry(text));
      return;
    }
    if (item === undefined || open.length !== itemDepth + 1 || parent?.isArray !== false) return;
    const rank = rankNameField(parent.field);
    if (rank < 0 || text.trim() === '') return;
    const entry = toEntry(text);
    const isBetter = isName(entry) === isName(item.entry) ? rank < item.rank : isName(entry);
    if (isBetter) item = { rank, entry };
  }

  function openContainer(isArray: boolean): void {
    if (open.length === maxDepth) throw listError('json');
    if (isItem()) {
      if (isArray) emit('invalid');
      else item = { rank: Number.POSITIVE_INFINITY, entry: 'invalid' };
    }
    open.push({ isArray, field: '', expectsField: !isArray });
  }

  function closeContainer(isArray: boolean): void {
    if (open.pop()?.isArray !== isArray) throw listError('json');
    if (item !== undefined && open.length === itemDepth) {
      emit(item.entry);
      item = undefined;
    }
    isRead = open.length === 0;
  }

  const tokenizer = new (class extends Tokenizer {
    protected override parseNumber(text: string): number {
      if (text.length > maxNumberLength) throw listError('json');
      return 0;
    }
  })({ emitPartialTokens: true });
  tokenizer.onToken = ({ token, value, partial }) => {
    if (partial === true) {
      if (String(value).length > maxTextLength) throw listError('json');
      return;
    }
    const parent = open.at(-1);
    if (parent === undefined) {
      const isExpected = list === 'array' ? token === TokenType.LEFT_BRACKET : token === TokenType.LEFT_BRACE;
      if (!isExpected || (isRead && list !== 'rows')) throw listError('json');
    }
    if (token === TokenType.STRING) readText(String(value));
    else if (token === TokenType.LEFT_BRACE) openContainer(false);
    else if (token === TokenType.LEFT_BRACKET) openContainer(true);
    else if (token === TokenType.RIGHT_BRACE) closeContainer(false);
    else if (token === TokenType.RIGHT_BRACKET) closeContainer(true);
    else if (token === TokenType.COLON && parent !== undefined) parent.expectsField = false;
    else if (token === TokenType.COMMA && parent !== undefined) parent.expectsField = !parent.isArray;
    else if (isItem()) emit('invalid');
  };
  return {
    scan(buffer, end, atEnd) {
      try {
        tokenizer.write(buffer.subarray(0, end));
        if (atEnd) tokenizer.end();
      } catch (error) {
        throw error instanceof UnreadableFile ? error : listError('json');
      }
      if (atEnd && !isRead) throw listError('json');
      return end;
    },
  };
}
