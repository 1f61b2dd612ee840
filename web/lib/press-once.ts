import type { KeyboardEvent } from 'react';

/** For `onKeyDown`: an Enter that is held presses a button, or sends a form, once and not thirty times a second. */
export function pressOnce(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault();
}
