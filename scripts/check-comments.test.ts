import { expect, test } from 'vitest';
import { checkComments } from './check-comments.ts';

const wide = 'word '.repeat(30).trim();

test('comments wider than code are refused, and wide code and text are not', () => {
  expect(checkComments('a.ts', `// ${wide}\nconst a = 1;`)).toEqual(['a.ts:1 has a comment wider than 120 columns.']);
  expect(checkComments('a.ts', `/**\n * Short.\n * ${wide}\n */`)).toHaveLength(1);
  expect(checkComments('a.ts', `const a = '${wide}'; // short\n// ${wide.slice(0, 100)}`)).toEqual([]);
});

test('errors are documented with @throws', () => {
  const refused = ['a.ts:1 documents an error in a sentence. Use @throws.'];
  expect(checkComments('a.ts', '/** Throws 404. */')).toEqual(refused);
  expect(checkComments('a.ts', '/**\n * Deletes it.\n * Throws 404.\n */')).toEqual(refused);
  expect(checkComments('a.ts', '/** Deletes it. @throws 404 */\n// It throws later.')).toEqual([]);
});
