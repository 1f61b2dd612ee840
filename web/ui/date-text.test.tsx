// @vitest-environment happy-dom

import { cleanup, render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, expect, it } from 'vitest';
import { DateText, datesIn } from './date-text.tsx';

afterEach(cleanup);
const textOf = (element: ReactElement) => render(element).container.textContent;

it('formats a date as short, long, or long with time', () => {
  expect(textOf(<DateText value="2024-01-05T15:04:00" />)).toBe('Jan 5, 2024');
  expect(textOf(<DateText value="2024-01-05T15:04:00" pattern="long" />)).toBe('January 5, 2024');
  expect(textOf(<DateText value="2024-01-05T15:04:00" pattern="time" />)).toBe('January 5, 2024 3:04 PM');
});

it('shows a date without a time as that same day', () => {
  expect(textOf(<DateText value="2024-03-01" />)).toBe('Mar 1, 2024');
});

it('shows a placeholder for a missing date and "Invalid date" for an unparseable one', () => {
  expect(textOf(<DateText value={null} />)).toBe('N/A');
  expect(textOf(<DateText value="" missing="Unknown" />)).toBe('Unknown');
  for (const value of ['soon', '2024-13-45', 'example 1', '5'])
    expect(textOf(<DateText value={value} />)).toBe('Invalid date');
});

it('shows the exact time on hover', () => {
  const { container } = render(<DateText value="2024-01-05T15:04:05" />);
  expect(container.querySelector('time')?.title).toMatch(/^January 5, 2024 at 3:04:05 PM /);
});

it('formats times on a 12-hour clock with an ordinary space before AM and PM', () => {
  const times = [0, 9, 12, 23].map((hour) => datesIn().formatTime(new Date(2024, 0, 5, hour, 4)));
  expect(times).toEqual(['12:04 AM', '9:04 AM', '12:04 PM', '11:04 PM']);
});
