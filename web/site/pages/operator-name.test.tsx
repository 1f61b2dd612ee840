// @vitest-environment happy-dom

import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { PageState } from '#shared/pages.ts';
import { writePageState } from '../../platform/page-state.fixtures.ts';
import { OperatorName } from './operator-name.tsx';

afterEach(() => {
  cleanup();
  document.head.replaceChildren();
});

it('says that no name is published if the setting is missing', () => {
  renderOperator(null);
  expect(document.body.textContent).toBe('an operator who has not published a name');
});

it('shows the name without a link if there is no URL', () => {
  renderOperator({ name: 'Example & Co', url: null });
  expect(document.body.textContent).toBe('Example & Co');
  expect(screen.queryByRole('link')).toBeNull();
});

it('links the name to the URL', () => {
  renderOperator({ name: 'Example Ltd', url: 'https://operator.example/' });
  expect(screen.getByRole('link', { name: 'Example Ltd' }).getAttribute('href')).toBe('https://operator.example/');
});

function renderOperator(operator: PageState['operator']): void {
  writePageState({ operator });
  render(<OperatorName />);
}
