// @vitest-environment happy-dom

import { cleanup, render, screen } from '@testing-library/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test } from 'vitest';
import { Breakable, NoBreakHyphens } from './text.tsx';

afterEach(cleanup);

test.each([
  ['ada@mail.mail.example', 'ada@<wbr/>mail.<wbr/>mail.<wbr/>example'],
  ['DATABASE_REPLICA_URL', 'DATABASE_<wbr/>REPLICA_<wbr/>URL'],
  ['.well-known', '.<wbr/>well-known'],
  ['ada', 'ada'],
  ['', ''],
])('%j can break only after @, dots and underscores', (name, markup) => {
  expect(renderToStaticMarkup(<Breakable>{name}</Breakable>)).toBe(markup);
});

test('a word with a hyphen does not break, and the text stays the same', () => {
  render(
    <h1>
      <NoBreakHyphens text="About the Paid-Link Blacklist" />
    </h1>,
  );
  const heading = screen.getByRole('heading', { name: 'About the Paid-Link Blacklist' });
  expect([...heading.children].map(({ textContent }) => textContent)).toEqual(['Paid-Link']);
});
