import { copyNames } from './copy-names.ts';
import { type SelectionProps, toggleRow } from './domain-cells.tsx';

/**
 * Applies a key to the list: J and K move the focus to the next and previous row, X or Space selects the focused row,
 * with Shift all rows up to it, C copies its name, and Escape clears the selection.
 * @param key in lower case
 */
export function pressRowKey(key: string, isRange: boolean, { domains, onSelect }: Omit<SelectionProps, 'selection'>) {
  const results = document.getElementById('results');
  const focused = document.activeElement;
  if (key === 'escape') {
    // The focused button disappears with the selection.
    if (focused?.closest('[data-selecting]')) results?.focus();
    return onSelect(new Set());
  }
  const links = [...(results?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const current = links.findIndex((link) => link.closest('tr, li')?.contains(focused));
  if (key === 'j' || key === 'k') {
    return links[current === -1 ? 0 : current + (key === 'j' ? 1 : -1)]?.focus();
  }
  const domain = domains.find(({ id }) => String(id) === links[current]?.dataset.row);
  if (!domain) return;
  if (key === 'c') return void copyNames([domain.domain]);
  onSelect((before) => toggleRow(domains, before, domain.id, isRange));
}
