import type { PageState } from '#shared/pages.ts';
import { type PageData, pageState } from './page-state.ts';

/** Adds to the document what a served page contains, with these facts about the installation. */
export function writePageState(changes: Partial<PageState>): void {
  const state = { ...pageState(), ...changes };
  const queries = { queries: [], mutations: [] };
  const parts: string[] = [];
  const element = document.createElement('script');
  element.type = 'application/json';
  element.id = 'page-data';
  element.textContent = JSON.stringify({
    state,
    parts,
    queries,
    timeZone: 'UTC',
    width: 1440,
    contentWidth: 1440,
  } satisfies PageData);
  document.getElementById('page-data')?.remove();
  document.head.append(element);
}
