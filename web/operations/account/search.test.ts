import { expect, test } from 'vitest';
import { accountSearch } from './search.ts';

test('the tabs of earlier versions lead to the tabs that contain them, and unknown ones to the first', () => {
  const tabs = ['alerts', 'webhooks', 'security', 'profile', 'api-keys', 'toString', 5, undefined];
  expect(tabs.map((tab) => accountSearch.parse({ tab }).tab)).toEqual([
    'notifications',
    'notifications',
    'profile',
    'profile',
    'api-keys',
    undefined,
    undefined,
    undefined,
  ]);
  expect(accountSearch.parse({}).tab).toBeUndefined();
});
