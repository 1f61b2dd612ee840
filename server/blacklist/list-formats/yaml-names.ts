import { splitComment } from '../../hostnames/links/list-marks.ts';
import { type ByteScanner, createLineScanner } from './scan-lines.ts';
import type { TreeReader } from './tree-names.ts';

/** A key with its value: `name: value`, `"name":`. An address such as https://x.com/ has no space after its colon. */
const keyLine = /^(?:"([^"]*)"|'([^']*)'|([^\s"'#[{-][^#]*?|-[^\s#][^#]*?)):(?:\s+(.*))?$/;
const sequenceMark = /^-(?:\s+|$)/;
const flowMapping = /^\{.*:.*\}$/;
const otherPrefix = /^(?:domain|full|keyword|regexp|include|local-\w+):/i;
const maxDepth = 100;

interface Frame {
  indent: number;
  isArray: boolean;
  /** Whether its last key has no value yet. */
  awaitsValue: boolean;
}

/** Whether a line has a key, which is no prefix that other lists have. */
export function hasYamlKey(line: string): boolean {
  const text = line.trim().replace(sequenceMark, '');
  return flowMapping.test(text) || (keyLine.test(text) && !otherPrefix.test(text));
}

/** Whether a line has the syntax of YAML: an item or a key. */
export const isYamlLine = (line: string): boolean => sequenceMark.test(line.trim()) || hasYamlKey(line);

/**
 * Creates a scanner that passes the parts of a YAML file to a reader.
 * @param onLine called with each line before its parts
 */
export function createYamlScanner(reader: TreeReader, onLine?: (line: string, number: number) => void): ByteScanner {
  const readLine = createYamlReader(reader);
  const scanner = createLineScanner(
    (line, number) => {
      onLine?.(line, number);
      readLine(line);
    },
    // No name is so long.
    () => readLine('- …'),
  );
  return {
    scan(buffer, end, atEnd) {
      const done = scanner.scan(buffer, end, atEnd);
      if (atEnd) readLine();
      return done;
    },
  };
}

/**
 * Creates a function that passes the parts of a YAML file to a reader, line by line: sequences, mappings, and both in
 * one line, as `[x.com, y.com]` and `{domain: x.com}`. Nothing else is in lists. Call it without a line at the end.
 */
function createYamlReader(reader: TreeReader): (line?: string) => void {
  const frames: Frame[] = [];

  function closeUntil(isDone: (frame: Frame) => boolean): void {
    for (let top = frames.at(-1); top !== undefined && !isDone(top); top = frames.at(-1)) {
      reader.close();
      frames.pop();
    }
  }

  function openAt(indent: number, isArray: boolean): void {
    const top = frames.at(-1);
    if (top?.indent === indent && top.isArray === isArray) return;
    reader.open(isArray);
    frames.push({ indent, isArray, awaitsValue: false });
  }

  function readScalar(text: string): void {
    if (/^[|>][-+\d]*$/.test(text) || text === '{}') return;
    const flow = /^\[(.*)\]$|^\{(.*)\}$/.exec(text);
    if (!flow) {
      reader.value(unquote(text));
      return;
    }
    const [, sequence, mapping = ''] = flow;
    reader.open(sequence !== undefined);
    for (const item of (sequence ?? mapping).split(/,(?![^[]*\])/)) {
      const [, key = '', value = item] = (sequence === undefined && /^([^:]+):\s(.*)$/.exec(item)) || [];
      if (sequence === undefined) reader.key(unquote(key.trim()));
      if (value.trim() !== '') readScalar(value.trim());
    }
    reader.close();
  }

  function readContent(indent: number, text: string): void {
    const mark = sequenceMark.exec(text)?.[0];
    if (mark !== undefined && frames.length < maxDepth) {
      // A sequence may have the indentation of the key that it belongs to.
      closeUntil((top) => top.indent < indent || (top.indent === indent && (top.isArray || top.awaitsValue)));
      openAt(indent, true);
      if (text.length > mark.length) readContent(indent + mark.length, text.slice(mark.length));
      return;
    }
    const [found, double, single, plain, value = ''] = keyLine.exec(text) ?? [];
    if (found === undefined) {
      closeUntil((top) => top.indent <= indent);
      if (frames.length === 0) openAt(-1, true);
      readScalar(text);
      return;
    }
    closeUntil((top) => top.indent < indent || (top.indent === indent && !top.isArray));
    openAt(indent, false);
    reader.key(double ?? single ?? plain ?? '');
    const top = frames.at(-1);
    if (top) top.awaitsValue = value === '';
    if (value !== '') readScalar(value);
  }

  return (line) => {
    if (line === undefined) {
      closeUntil(() => false);
      return;
    }
    const { text } = splitComment(line);
    if (text === '' || /^(?:---|\.\.\.)(?:\s|$)|^%/.test(text)) return;
    readContent(line.search(/[^\s\ufeff]/), text);
  };
}

const unquote = (text: string): string => /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;
