// @vitest-environment happy-dom

import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { NoBreakHyphens } from './no-break-hyphens.tsx';

afterEach(cleanup);

it('a word with a hyphen stays whole, and the words read as they were', () => {
  render(
    <h1>
      <NoBreakHyphens text="About the Paid-Link Blacklist" />
    </h1>,
  );
  const heading = screen.getByRole('heading', { name: 'About the Paid-Link Blacklist' });
  expect([...heading.children].map(({ textContent }) => textContent)).toEqual(['Paid-Link']);
});
