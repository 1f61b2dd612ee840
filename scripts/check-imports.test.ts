import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkImports } from './check-imports.ts';

const folder = mkdtempSync(join(tmpdir(), 'linksieve-imports-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let projects = 0;

/** Checks a project with these files. @returns the violations */
function check(files: Record<string, string>): string[] {
  const root = join(folder, String(projects++));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkImports(root);
}

const validProject = {
  'shared/page.ts': "import * as z from 'zod/mini';",
  'server/app.ts': "import './orders/routes.ts'; import './people/people.ts';",
  'server/db/database.ts': "import { sql } from 'kysely'; export const one = sql`select 1`;",
  'server/orders/orders.ts': "import '../people/people.ts'; import './store.ts'; import '#shared/page.ts';",
  'server/orders/routes.ts': "import './orders.ts';",
  'server/orders/store.ts': "import { one } from '../db/database.ts'; db.selectFrom('orders');",
  'server/orders/orders.test.ts': "import '../people/store.ts'; db.selectFrom('orders');",
  'server/people/people.ts': "import './store.ts';",
  'server/people/store.ts': '',
  'web/routes.tsx': "import('./orders/list-page.tsx'); import './orders/search.ts';",
  'web/orders/orders.tsx': "import '../ui/button.tsx'; import '#shared/page.ts';",
  'web/orders/list-page.tsx': "import '../people/people.tsx'; import './orders.tsx';",
  'web/orders/search.ts': '',
  'web/people/people.tsx': '',
  'web/ui/button.tsx': '',
};

test('a valid project has no violations', () => {
  expect(check(validProject)).toEqual([]);
});

test('a cycle between topics is reported with its imports', () => {
  expect(
    check({ ...validProject, 'server/people/store.ts': "import type { Order } from '../orders/orders.ts';" }),
  ).toEqual([
    [
      'server/orders → server/people → server/orders is a cycle:',
      '  server/orders/orders.ts imports server/people/people.ts',
      '  server/people/store.ts imports server/orders/orders.ts',
    ].join('\n'),
  ]);
});

test('a cycle through a file at the root is reported', () => {
  const violations = check({
    ...validProject,
    'server/context.ts': "import type { Quota } from './people/people.ts';",
    'server/people/people.ts': "import type { Context } from '../context.ts';",
  });
  expect(violations).toEqual([
    expect.stringMatching(/^server\/people → server\/context\.ts → server\/people is a cycle/),
  ]);
});

test.each([
  ['server/orders/orders.ts', "import '../people/store.ts';", 'this file is private'],
  ['server/orders/orders.ts', "export { one } from '../people/store.ts';", 'this file is private'],
  ['server/orders/orders.ts', "import '../people/routes.ts';", 'this file is private'],
  ['server/app.ts', "import './people/store.ts';", 'this file is private'],
  ['web/people/people.tsx', "import('../orders/list-page.tsx');", 'this file is private'],
  ['web/people/people.tsx', "import '#web/orders/search.ts';", 'this file is private'],
  ['server/db/database.ts', "import '../people/people.ts';", 'infrastructure must not import a topic'],
  ['web/ui/button.tsx', "import '../people/people.tsx';", 'infrastructure must not import a topic'],
  ['web/people/people.tsx', "import '../app/layout.tsx';", 'a topic must not import the shell'],
  ['web/people/people.tsx', "import '#server/db/database.ts';", 'web/ must not import server/'],
  ['server/people/people.ts', "import '#web/ui/button.tsx';", 'server/ must not import web/'],
  ['shared/page.ts', "import '#server/db/database.ts';", 'shared/ runs in browsers'],
  ['shared/page.ts', "import 'zod';", 'shared/ runs in browsers'],
  ['cli/check.ts', "import '#server/db/database.ts';", 'cli/ must use the API'],
  ['lookup/a.ts', "import '#server/hosts/hosts.ts';", 'lookup/ must use the API'],
  ['extension/a.ts', "import '#server/db/database.ts';", 'extension/ must use the API'],
  ['extension/a.ts', "import '#web/app/frame.tsx';", 'extension/ must not import web/'],
  ['server/people/people.ts', "db.insertInto('people');", 'contains SQL'],
  ['server/people/people.ts', 'sql<{ n: number }>`select 1 as n`;', 'contains SQL'],
])('%s must not contain: %s', (path, text, rule) => {
  expect(check({ ...validProject, [path]: text })[0]).toContain(rule);
});
