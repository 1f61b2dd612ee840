import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseAst } from 'vite';

export interface SourcePattern {
  /** File and literal, such as 'server/hostnames/hosts/hosts.ts: /^a+$/i'. */
  name: string;
  pattern: string;
  flags: string;
}

const root = join(import.meta.dirname, '../..');

/** Every regular expression literal in the product's source, without tests. */
export function listSourcePatterns(): SourcePattern[] {
  return ['server', 'shared', 'cli', 'web'].flatMap(sourceFiles).flatMap((path) => {
    const found: SourcePattern[] = [];
    const program = parseAst(readFileSync(path, 'utf8'), { lang: path.endsWith('x') ? 'tsx' : 'ts' });
    visit(program, ({ pattern, flags }) => {
      found.push({ name: `${relative(root, path)}: /${pattern}/${flags}`, pattern, flags });
    });
    return found;
  });
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.(test|spec|fixtures)\.tsx?$|\.d\.ts$/.test(name))
    .map((name) => join(root, folder, name));
}

function visit(node: unknown, found: (regex: { pattern: string; flags: string }) => void): void {
  if (!node || typeof node !== 'object') return;
  if ('regex' in node) found(node.regex as { pattern: string; flags: string });
  for (const [name, child] of Object.entries(node)) if (name !== 'regex' && name !== 'value') visit(child, found);
}
