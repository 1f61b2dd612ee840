import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const web = join(import.meta.dirname, '..');
const mantineStyles = join(web, '../node_modules/@mantine/core/styles');
const sheets = new Set(readdirSync(mantineStyles));

it('the style sheet of every used Mantine component is imported in main.tsx or ui/more-styles.ts', () => {
  const listed = ['main.tsx', 'ui/more-styles.ts'].map((file) => readFileSync(join(web, file), 'utf8')).join();
  const missing = sources()
    .flatMap(componentsOf)
    .filter((name) => sheets.has(`${name}.css`) && !listed.includes(`/styles/${name}.css'`));
  expect([...new Set(missing)]).toEqual([]);
});

function sources(): string[] {
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.tsx')).map((file) => readFileSync(join(web, file), 'utf8'));
}

function componentsOf(source: string): string[] {
  const imported = [...source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)];
  return imported.flatMap(([, names = '']) => names.split(',').map((name) => name.trim()));
}
