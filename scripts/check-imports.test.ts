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
  'shared/platform/page.ts': "import * as z from 'zod/mini';",
  'server/app.ts': "import './reports/topics.ts'; import './accounts/people/people.ts';",
  'server/reports/topics.ts': "import './orders/topic.ts';",
  'server/reports/orders/topic.ts': "import './routes.ts';",
  'server/platform/db/database.ts': "import { sql } from 'kysely'; export const one = sql`select 1`;",
  'server/reports/orders/orders.ts':
    "import '../../accounts/people/names.ts'; import '../parcels/parcels.ts'; import './store.ts'; import '#shared/platform/page.ts';",
  'server/reports/orders/routes.ts': "import './orders.ts';",
  'server/reports/orders/store.ts': "import { one } from '../../platform/db/database.ts'; db.selectFrom('orders');",
  'server/reports/orders/orders.test.ts': "import '../../accounts/people/store.ts'; db.selectFrom('orders');",
  'server/reports/parcels/parcels.ts': '',
  'server/accounts/people/people.ts': "import './store.ts';",
  'server/accounts/people/names.ts': '',
  'server/accounts/people/store.ts': '',
  'web/paths.ts': '',
  'web/routes.tsx':
    "import './shell/layout.tsx'; import('./reports/orders/list-page.tsx'); import './reports/orders/search.ts';",
  'web/shell/layout.tsx': "import '../reports/orders/orders.tsx'; import './frame.tsx';",
  'web/shell/frame.tsx': '',
  'web/site/home/hero.tsx': "import '../../accounts/people/names.tsx';",
  'web/reports/orders/orders.tsx':
    "import '../../ui/button.tsx'; import '../../paths.ts'; import '#shared/platform/page.ts';",
  'web/reports/orders/list-page.tsx': "import '../../accounts/people/names.tsx'; import './orders.tsx';",
  'web/reports/orders/search.ts': '',
  'web/reports/parcels/parcels.tsx': '',
  'web/accounts/people/people.tsx': '',
  'web/accounts/people/names.tsx': '',
  'web/ui/button.tsx': "import '../platform/format.ts';",
  'web/platform/format.ts': '',
  'extension/popup.tsx': "import './texts.ts';",
  'extension/texts.ts': '',
};

test('a valid project has no violations', () => {
  expect(check(validProject)).toEqual([]);
});

test('the contract has the same districts, and its imports lead one way', () => {
  expect(
    check({
      ...validProject,
      'shared/pages.ts': "import './reports/orders.ts';",
      'shared/reports/orders.ts': "import '../platform/page.ts';",
      'shared/platform/endpoint.ts': "import '../reports/orders.ts';",
      'shared/others/orders.ts': '',
    }),
  ).toEqual([
    'shared/others/orders.ts is in no district: platform, hostnames, accounts, blacklist, reports, checks, operations.',
    'shared/platform/endpoint.ts imports shared/reports/orders.ts: imports between districts lead one way: operations → checks → reports → blacklist → accounts → hostnames → platform.',
  ]);
});

test('a topic with routes, jobs or commands describes itself, and the list of its district contains it', () => {
  expect(
    check({
      ...validProject,
      'server/reports/topics.ts': '',
      'server/reports/parcels/jobs.ts': '',
      'server/accounts/people/topic.ts': '',
      'server/checks/topics.ts': "import '../accounts/people/topic.ts';",
    }),
  ).toEqual([
    'server/checks/topics.ts imports server/accounts/people/topic.ts: this file is private. Other topics must not import store*, routes and jobs.',
    'server/reports/parcels/topic.ts is missing: it describes the routes, jobs and tables of its topic.',
    'server/accounts/people/topic.ts is not in the list of its district, topics.ts.',
    'server/reports/orders/topic.ts is not in the list of its district, topics.ts.',
  ]);
});

test('a cycle between topics is reported with its imports', () => {
  expect(
    check({
      ...validProject,
      'server/reports/parcels/parcels.ts': "import type { Order } from '../orders/orders.ts';",
    }),
  ).toEqual([
    [
      'server/reports/orders → server/reports/parcels → server/reports/orders is a cycle:',
      '  server/reports/orders/orders.ts imports server/reports/parcels/parcels.ts',
      '  server/reports/parcels/parcels.ts imports server/reports/orders/orders.ts',
    ].join('\n'),
  ]);
});

test('a cycle through a file at the root is reported', () => {
  const violations = check({
    ...validProject,
    'server/context.ts': "import type { Quota } from './accounts/people/people.ts';",
    'server/accounts/people/people.ts': "import type { Context } from '../../context.ts';",
  });
  expect(violations).toEqual([
    expect.stringMatching(/^server\/accounts\/people → server\/context\.ts → server\/accounts\/people is a cycle/),
  ]);
});

test.each([
  ['server/reports/orders/store.ts', './orders.ts'],
  ['web/reports/orders/orders.tsx', './list-page.tsx'],
  ['web/shell/frame.tsx', './layout.tsx'],
  ['extension/texts.ts', './popup.tsx'],
])('a cycle between files is reported: %s must not import %s', (path, name) => {
  expect(check({ ...validProject, [path]: `import type { Order } from '${name}';` })).toEqual([
    expect.stringMatching(/^(\S+) → \S+ → \1 is a cycle/),
  ]);
});

test.each([
  ['server/reports/orders/orders.ts', "import '../../accounts/people/store.ts';", 'this file is private'],
  ['server/reports/orders/orders.ts', "export { one } from '../parcels/store-links.ts';", 'this file is private'],
  ['server/reports/orders/orders.ts', "import '../../accounts/people/routes.ts';", 'this file is private'],
  ['server/reports/orders/orders.ts', "import '../parcels/jobs.ts';", 'this file is private'],
  ['server/app.ts', "import './accounts/people/store.ts';", 'this file is private'],
  ['server/accounts/people/people.ts', "import '../../reports/parcels/parcels.ts';", 'lead one way'],
  ['server/platform/db/database.ts', "import '../../accounts/people/names.ts';", 'lead one way'],
  ['server/platform/db/database.ts', "import '../audit/audit.ts';", 'infrastructure must not import a topic'],
  ['web/reports/parcels/parcels.tsx', "import('../orders/list-page.tsx');", 'this file is private'],
  ['web/reports/parcels/parcels.tsx', "import '#web/reports/orders/search.ts';", 'this file is private'],
  ['web/accounts/people/people.tsx', "import '../../reports/orders/orders.tsx';", 'lead one way: shell → site →'],
  ['web/reports/parcels/parcels.tsx', "import '../../site/home/hero.tsx';", 'lead one way'],
  ['web/ui/button.tsx', "import '../accounts/people/people.tsx';", 'lead one way'],
  ['web/platform/format.ts', "import '../ui/button.tsx';", 'lead one way'],
  ['web/site/home/hero.tsx', "import '../../shell/layout.tsx';", 'lead one way'],
  ['web/people/people.tsx', '', 'is in no district: platform, ui, hostnames'],
  [
    'web/accounts/people/people.tsx',
    "export { name } from './names.tsx';",
    'passes on what web/accounts/people/names.tsx exports',
  ],
  ['web/accounts/people/people.tsx', "export * from './names.tsx';", 'passes on what'],
  [
    'web/accounts/people/people.tsx',
    "import { name } from './names.tsx';\nexport const title = name;",
    'only passes on title: import it from web/accounts/people/names.tsx',
  ],
  ['extension/texts.ts', "export { Page } from '#shared/platform/page.ts';", 'passes on what'],
  ['web/accounts/people/people.tsx', "import '#server/platform/db/database.ts';", 'web/ must not import server/'],
  ['server/accounts/people/people.ts', "import '#web/ui/button.tsx';", 'server/ must not import web/'],
  ['shared/platform/page.ts', "import '#server/platform/db/database.ts';", 'shared/ runs in browsers'],
  ['shared/platform/page.ts', "import 'zod';", 'shared/ runs in browsers'],
  ['cli/check.ts', "import '#server/platform/db/database.ts';", 'cli/ must use the API'],
  ['lookup/a.ts', "import '#server/hostnames/hosts/hosts.ts';", 'lookup/ must use the API'],
  ['extension/a.ts', "import '#server/platform/db/database.ts';", 'extension/ must use the API'],
  ['extension/a.ts', "import '#web/shell/frame.tsx';", 'extension/ must not import web/'],
  ['server/people/people.ts', '', 'is in no district'],
  ['server/accounts/people/people.ts', "db.insertInto('people');", 'contains SQL'],
  [
    'server/accounts/people/people.ts',
    "import * as names from './names.ts';\nexport const find = names.find;",
    'only passes on find: import it from server/accounts/people/names.ts',
  ],
  ['server/accounts/people/people.ts', 'sql<{ n: number }>`select 1 as n`;', 'contains SQL'],
])('%s must not contain: %s', (path, text, rule) => {
  expect(check({ ...validProject, [path]: text })[0]).toContain(rule);
});
