import { expect, test } from 'vitest';
import { checkColumns } from '#shared/checks/csv-checks.ts';
import { startKeyApp } from './key-app.fixtures.ts';

const { call, key, app } = await startKeyApp();
const { body: text, headers } = await call('GET', '/linksieve-power-query.txt');
const find = (pattern: RegExp) => pattern.exec(text)?.[1] ?? '';

test('the Power Query function makes a call that the server accepts, with the key in the header', async () => {
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  const names = ['sold.example', 'clean.example', 'hello'];
  const query = new URLSearchParams({ [find(/Query = \[(\w+) = Text\.Combine\(names, ","\)\]/)]: names.join() });
  const response = await app.inject({
    url: `/${find(/RelativePath = "([^"]+)"/)}?${query}`,
    headers: { [find(/Headers = \[#"([^"]+)" = Key\]/)]: key.value },
  });
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(response.body.trimEnd().split('\r\n')).toHaveLength(1 + names.length);
});

test('the Power Query function reads the error of a response that is not CSV', async () => {
  const { error } = (await app.inject('/api/v1/check.csv')).json();
  expect(find(/Json\.Document\(Response\)\[(\w+)\]/)).toBe('error');
  expect(error).toMatch(/\.$/);
});

test('the columns of the Power Query function exist', () => {
  const columns = [...find(/Columns = \{([^}]+)\}/).matchAll(/"(\w+)"/g)].map(([, column]) => column);
  expect(columns.length).toBeGreaterThan(5);
  expect(checkColumns).toEqual(expect.arrayContaining(columns));
});
