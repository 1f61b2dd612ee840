import { useMediaQuery } from '@mantine/hooks';
import { maxWidths } from './breakpoints.ts';

/** Whether the window is at most as wide as a layout. False when a page is prerendered. */
export function useMaxWidth(layout: keyof typeof maxWidths): boolean {
  return useMediaQuery(`(max-width: ${maxWidths[layout]})`, false, { getInitialValueInEffect: false });
}
