import { Tokenizer, TokenType } from '@streamparser/json';
import { UnreadableFile } from '../../platform/csv/unreadable-file.ts';
import { listError } from './list-errors.ts';
import type { ByteScanner } from './scan-lines.ts';
import type { TreeReader } from './tree-names.ts';

const maxDepth = 100;
/** A name has up to 253 characters, and descriptions are skipped; a longer text is not a list. */
const maxTextLength = 2 ** 20;
const maxNumberLength = 1000;

/** Whether the first two lines are an object or an array each. */
function hasRows(start: string): boolean {
  const [first = '', second = ''] = start.trimStart().split(/\r\n?|\n/, 2);
  return second.trimStart().startsWith('{') && first.trimEnd().endsWith('}');
}

/**
 * Creates a scanner that passes the parts of a JSON file to a reader, or of several objects, one per line. It reads
 * tokens, so that memory does not grow with the file, its longest text or its depth.
 * @param start the start of the file
 */
export function createJsonScanner(start: string, reader: TreeReader): ByteScanner {
  const isRows = hasRows(start);
  const open: { isArray: boolean; expectsKey: boolean }[] = [];
  let isRead = false;

  const tokenizer = new (class extends Tokenizer {
    protected override parseNumber(text: string): number {
      if (text.length > maxNumberLength) throw listError('json');
      return text.length === 1 ? Number(text) : 2;
    }
  })({ emitPartialTokens: true });
  tokenizer.onToken = ({ token, value, partial }) => {
    if (partial === true) {
      if (String(value).length > maxTextLength) throw listError('json');
      return;
    }
    const parent = open.at(-1);
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      if (open.length === maxDepth || (!parent && isRead && !isRows)) throw listError('json');
      const isArray = token === TokenType.LEFT_BRACKET;
      reader.open(isArray);
      open.push({ isArray, expectsKey: !isArray });
    } else if (!parent) throw listError('json');
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) {
      if (parent.isArray !== (token === TokenType.RIGHT_BRACKET)) throw listError('json');
      reader.close();
      open.pop();
      isRead = open.length === 0;
    } else if (token === TokenType.COLON) parent.expectsKey = false;
    else if (token === TokenType.COMMA) parent.expectsKey = !parent.isArray;
    else if (token === TokenType.TRUE || token === TokenType.FALSE || value === 0 || value === 1)
      reader.value(String(value));
    else if (token !== TokenType.STRING) reader.value();
    else if (parent.expectsKey) reader.key(String(value));
    else reader.value(String(value));
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
