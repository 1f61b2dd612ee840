import { expect, test } from 'vitest';
import { buildRequests, notCalled, smallObjects } from './large-requests.fixtures.ts';
import { rights } from './rights-table.fixtures.ts';

// rights.test.ts compares the table of rights with the routes of the server.
const routes = Object.keys(rights);
const account = { websiteId: 1, reportId: 1, fileId: 1, listId: 'x', shareToken: 'x' };
const requests = Object.keys(buildRequests(account));

test('the trial all-routes calls every route about an object with the largest one, or the object is small', () => {
  const listed = [...requests, ...Object.keys(notCalled), ...smallObjects];
  expect(routes.filter((route) => route.includes(':') && !listed.includes(route))).toEqual([]);
});

test('the trial all-routes lists each route once, and only those of the server', () => {
  const listed = [...requests, ...Object.keys(notCalled), ...smallObjects];
  expect(listed.filter((route) => !routes.includes(route))).toEqual([]);
  expect(listed.length).toBe(new Set(listed).size);
});
