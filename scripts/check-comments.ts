import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

/** The width of the formatter, which does not break comments. */
const maxWidth = 120;

/** Returns a sentence for each comment that is too wide, or documents an error without `@throws`. */
export function checkComments(file: string, text: string): string[] {
  const lines = text.split('\n');
  return parseSync(file, text).comments.flatMap(({ value, start, end }) => {
    const first = countLines(text, start);
    const isWide = lines
      .slice(first, countLines(text, end) + 1)
      .some((line) => line.length > maxWidth && /^\s*(\/?\*|\/\/)/.test(line));
    const hasSentence = /(^\*|[.:;!?)])\s+Throws\b/.test(value.replace(/\s*\n\s*\*/g, ' '));
    return [
      ...(isWide ? [`${file}:${first + 1} has a comment wider than ${maxWidth} columns.`] : []),
      ...(hasSentence ? [`${file}:${first + 1} documents an error in a sentence. Use @throws.`] : []),
    ];
  });
}

const countLines = (text: string, end: number) => text.slice(0, end).split('\n').length - 1;

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const files = globSync('{*.ts,{server,shared,web,cli,lookup,extension,e2e,bench,scripts}/**/*.{ts,tsx}}', {
    cwd: root,
    exclude: ['extension/{.wxt,.output}/**'],
  });
  const violations = files.flatMap((file) => checkComments(file, readFileSync(join(root, file), 'utf8')));
  for (const violation of violations) console.error(violation);
  if (violations.length > 0) process.exit(1);
  console.log(`Comments: none wider than ${maxWidth} columns, and errors are documented with @throws.`);
}
