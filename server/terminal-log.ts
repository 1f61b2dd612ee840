import { styleText } from 'node:util';
import type { DestinationStream } from 'pino';

/** Labels of the levels of pino by their numbers. */
const levels = new Map([
  [10, styleText('dim', 'TRACE')],
  [20, styleText('dim', 'DEBUG')],
  [30, 'INFO'],
  [40, styleText('yellow', 'WARN')],
  [50, styleText('red', 'ERROR')],
  [60, styleText('red', 'FATAL')],
]);

/** Parts of a line that say nothing to a person in front of a terminal. */
const omitted = new Set(['level', 'time', 'msg', 'pid', 'hostname', 'reqId', 'err']);

/** Writes the lines of pino as sentences for a person. */
export function createTerminalLog(write: (text: string) => void): DestinationStream {
  return { write: (line) => write(`${formatLine(JSON.parse(line))}\n`) };
}

function formatLine(line: Record<string, unknown>): string {
  const time = new Date(Number(line.time)).toLocaleTimeString('en-GB');
  const fields = Object.entries(line).filter(([name]) => !omitted.has(name));
  const facts = fields.map(([name, value]) => `${name}=${toPlainText(formatValue(value))}`).join(' ');
  const first = [
    styleText('dim', time),
    levels.get(Number(line.level)) ?? String(line.level),
    toPlainText(String(line.msg ?? '')),
    facts && styleText('dim', facts),
  ];
  const text = first.filter(Boolean).join(' ');
  const error = line.err as { stack?: string; message?: string } | undefined;
  return error ? `${text}\n${(error.stack ?? error.message ?? '').split('\n').map(toPlainText).join('\n')}` : text;
}

const formatValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Escapes control characters, with which a text from outside could change what the terminal shows. */
const toPlainText = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
