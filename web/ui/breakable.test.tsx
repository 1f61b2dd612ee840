import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Breakable } from './breakable.tsx';

test.each([
  ['ada@mail.mail.example', 'ada@<wbr/>mail.<wbr/>mail.<wbr/>example'],
  ['DATABASE_REPLICA_URL', 'DATABASE_<wbr/>REPLICA_<wbr/>URL'],
  ['.well-known', '.<wbr/>well-known'],
  ['ada', 'ada'],
  ['', ''],
])('%j may break behind its signs alone, and every letter stays', (name, markup) => {
  expect(renderToStaticMarkup(<Breakable>{name}</Breakable>)).toBe(markup);
});
