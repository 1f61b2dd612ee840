// @vitest-environment happy-dom

import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { PageState } from '#shared/pages.ts';
import { writePageState } from '../../platform/page-state.fixtures.ts';
import { GoogleButton } from './google-button.tsx';

afterEach(() => {
  cleanup();
  document.head.replaceChildren();
});

const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Continue with Google' });

it('is disabled with a reason if Google sign-in is not configured', () => {
  renderButton(null);
  expect(button().disabled).toBe(true);
  const reason = document.getElementById(button().getAttribute('aria-describedby') ?? '');
  expect(reason?.textContent).toBe('Signing in with Google is not set up on this server.');
});

it('is enabled if Google sign-in is configured', () => {
  renderButton({ apiKey: 'key', authDomain: 'demo.firebaseapp.com', projectId: 'demo', emulatorUrl: null });
  expect(button().disabled).toBe(false);
  expect(screen.queryByText(/not set up/)).toBeNull();
});

function renderButton(google: PageState['google']): void {
  writePageState({ google });
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <GoogleButton welcome={() => undefined} onChallenge={() => undefined} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}
