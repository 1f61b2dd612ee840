import { AlignJustify, type LucideIcon, Menu as MenuIcon } from 'lucide-react';
import { storedChoice } from '../platform/storage.ts';

/**
 * The heights of table rows. global.css defines them; public/first-paint.js sets the saved one before the first paint.
 */
export const densities = [
  { value: 'comfortable', label: 'Comfortable rows', Icon: MenuIcon },
  { value: 'compact', label: 'Compact rows', Icon: AlignJustify },
] as const satisfies { value: string; label: string; Icon: LucideIcon }[];
export type Density = (typeof densities)[number]['value'];

const choice = storedChoice('density');

export const useDensity = (): Density => (choice.use() === 'compact' ? 'compact' : 'comfortable');

/** Applies the density to every table, and saves it on this device. */
export function setDensity(density: Density): void {
  choice.set(density === 'compact' ? density : undefined);
  document.documentElement.toggleAttribute('data-compact', density === 'compact');
}
