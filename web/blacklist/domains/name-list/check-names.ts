import { type listDomains, toRiskCounts } from '#shared/blacklist/domains.ts';
import { maxBulkDomains } from '#shared/checks/key-checks.ts';
import { checkList, type ListCheck } from '#shared/checks/list-checks.ts';
import type { QueryOf } from '#shared/platform/endpoint.ts';
import { call } from '../../../platform/api.ts';
import type { DomainsScreen } from '../search.ts';
import { splitNames } from './names.ts';
import { readList, saveDraft, saveList } from './stored-lists.ts';

/** Shows which names of a pasted text are listed. A text with too many names opens in the dialog instead. */
export function openNameList(screen: DomainsScreen, text: string): void {
  if (splitNames(text).length > maxBulkDomains) {
    saveDraft(text);
    screen.open('list');
  } else {
    void screen.show({ list: saveList(text), search: undefined });
  }
}

/** Checks the list with this key. The result is empty if the list is not in this browser tab. */
export async function checkNames(
  key: string,
  query: QueryOf<typeof listDomains>,
  signal: AbortSignal,
): Promise<ListCheck> {
  const names = splitNames(readList(key) ?? '');
  if (names.length > 0) return await call(checkList, { body: { ...query, names }, signal });
  const { page, pageSize } = query;
  return {
    domains: [],
    pagination: { page, pageSize, total: 0, totalPages: 0 },
    counts: toRiskCounts(() => 0),
    total: 0,
    listed: 0,
    unlisted: [],
    throughParent: [],
    invalid: [],
  };
}
