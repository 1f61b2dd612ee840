import { join } from 'node:path';
import { expect, test } from 'vitest';
import { extractStrings, listStrings } from './list-strings.ts';

const texts = (source: string, file = 'screen.tsx') => extractStrings(file, source).map(({ text }) => text);

test('a sentence is one text, with its elements and values marked', () => {
  const source = `const a = <p>
    Listed by <b>{count} sources</b> since{' '}
    {date}. <Link to="/contact">Contact us</Link>
  </p>;`;
  expect(texts(source)).toEqual(['Listed by <b>{…} sources</b> since {…}. <Link>Contact us</Link>']);
});

test('texts inside the values of a sentence are listed too', () => {
  expect(texts(`const a = <p>Save {dirty ? 'your changes' : <b>Nothing new</b>}</p>;`)).toEqual([
    'Save {…}',
    'your changes',
    'Nothing new',
  ]);
});

test('labels are listed even if they are a single lower-case word', () => {
  expect(texts(`const a = <Field label="niche" name="niche" placeholder="health" className="Wide field" />;`)).toEqual([
    'niche',
    'health',
  ]);
});

test('messages in code are listed, with {…} for values', () => {
  const source = `if (size > limit) throw invalid(\`The file is larger than \${limit} MB.\`);
toast({ title: 'Import failed' });`;
  expect(texts(source, 'routes.ts')).toEqual(['The file is larger than {…} MB.', 'Import failed']);
});

test('imports, types, comparisons, SQL and property names are not listed', () => {
  const source = `import { a } from './Some file.ts';
type Kind = 'Some kind' | 'other';
if (kind === 'Some kind') await sql\`select id from domains where x = 'Some text'\`;
const headers = { 'Content Type': value };`;
  expect(texts(source, 'store.ts')).toEqual([]);
});

test('headings and messages inside an object are listed, whatever their property is called', () => {
  const source = `const a = { id: 'Some id', name: 'Owner', key: z.string('Please choose a key'), columns: [{ name: 'DR' }] };`;
  expect(texts(source, 'page.ts')).toEqual(['Owner', 'Please choose a key', 'DR']);
});

test('each text has its file and line', () => {
  expect(extractStrings('a.ts', `\n\nconst a = 'Two words';`)).toEqual([{ file: 'a.ts', line: 3, text: 'Two words' }]);
});

test('the list of the product contains texts of pages, contract, server and command line', () => {
  const listed = listStrings(join(import.meta.dirname, '..'));
  const isListed = (folder: string, text: string) =>
    listed.some((found) => found.file.startsWith(folder) && found.text.includes(text));
  expect(isListed('web/', 'Protect Your SEO From Harmful Backlinks')).toBe(true);
  expect(isListed('shared/', 'Please enter a valid email address')).toBe(true);
  expect(isListed('server/', 'Invalid username or password')).toBe(true);
  expect(isListed('cli/', 'npm run check-domains')).toBe(true);
});
