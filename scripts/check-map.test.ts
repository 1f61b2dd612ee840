import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkMap } from './check-map.ts';

const files = {
  'server/reports/orders/routes.ts': "import './orders.ts';",
  'server/reports/orders/orders.ts': '',
  'server/security/rights/rights.ts': '',
  'web/reports/orders/list-page.tsx': '',
  'shared/reports/orders.ts': '',
};
const map = 'reports/orders   server  web  shared  what users ordered';
const walk =
  '1. `server/reports/orders/routes.ts` calls `server/reports/orders/orders.ts`.\n\nThese steps use two files.';

/** Checks a project with this page. @returns the differences */
function check(lines: string, steps: string): string[] {
  const root = mkdtempSync(join(tmpdir(), 'linksieve-map-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries({
    ...files,
    'docs/architecture.md': `${lines}\n\n## An order\n${steps}`,
  })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkMap(root);
}

test('a page that describes the code has no differences', () => {
  expect(check(map, walk)).toEqual([]);
});

test('a topic that the map lacks or has in the wrong places is reported', () => {
  expect(check('reports/parcels  server  what users ordered', walk)).toEqual([
    'The map of docs/architecture.md lacks this line: reports/orders: server, web, shared.',
    'The map of docs/architecture.md has a wrong line: reports/parcels: server.',
  ]);
});

test('a walk with a wrong count, a missing file or a file that nothing else imports is reported', () => {
  const page = "docs/architecture.md, 'An order'";
  expect(check(map, walk.replace('two', '3'))).toEqual([`${page}: the steps name 2 files, not 3.`]);
  expect(check(map, walk.replace('orders.ts', 'order.ts'))).toEqual([
    `${page}: there is no server/reports/orders/order.ts.`,
  ]);
  expect(check(map, walk.replace('calls', 'and `shared/reports/orders.ts`').replace('two', 'three'))).toEqual([
    `${page}: no other file of these steps imports shared/reports/orders.ts.`,
  ]);
});
