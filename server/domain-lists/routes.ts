import { Readable } from 'node:stream';
import * as contract from '#shared/domain-lists.ts';
import type { Context } from '../context.ts';
import { type CsvValue, writeCsv } from '../csv/write-csv.ts';
import { attachment } from '../http/headers.ts';
import type { DynamicPage } from '../http/pages.ts';
import { route, type Scope } from '../http/scope.ts';
import { createList, deleteList, getList, listOwnLists } from './domain-lists.ts';

export const domainListRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    route(scope, contract.createDomainList, (call) => createList(context, call));

    route(scope, contract.getDomainList, (call) => getList(context, call));

    route(scope, contract.exportDomainList, async (call) => {
      const { createdAt, networks, results } = await getList(context, call);
      const rows = results.map((result) => toRow(result, networks));
      const fileName = `linksieve-check-${createdAt.slice(0, 10)}.csv`;
      return attachment(call.reply, fileName, 'text/csv').send(Readable.from(writeCsv(columns, rows)));
    });
  },

  user(scope: Scope<'user'>, context: Context): void {
    route(scope, contract.listDomainLists, ({ query, user }) => listOwnLists(context, user.id, query));

    route(scope, contract.deleteDomainList, ({ params, user }) => deleteList(context, user.id, params.id));
  },
};

/** The page to check a list. With a list in its URL, its frame shows a placeholder and loads the app immediately. */
export const checkListPage: DynamicPage = {
  path: contract.checkListPath,
  file: 'check.html',
  async load({ query }) {
    const hasList = Object.hasOwn(query as object, 'list');
    const headers: Record<string, string> = hasList ? { 'x-robots-tag': 'noindex' } : {};
    return {
      status: 200,
      headers,
      texts: { [contract.checkListPlaceholder]: hasList ? 'load' : '' },
      html: {},
    };
  },
};

const columns = [
  'domain',
  'price',
  'listed',
  'matchedDomain',
  'riskLevel',
  'confidence',
  'sourceCount',
  'independentSourceCount',
  'firstListedAt',
  'niche',
  'knownPrices',
  'priceComparison',
  'sharedSources',
  'error',
] as const;

/** A result as a row of the CSV file. Several known prices, sources and families are separated by semicolons. */
function toRow(result: contract.ListResult, networks: readonly contract.Network[]): CsvValue[] {
  const cells: Partial<Record<(typeof columns)[number], CsvValue>> =
    'error' in result
      ? { domain: result.domain, price: result.price, error: result.error }
      : {
          ...result,
          knownPrices: result.knownPrices.join('; '),
          sharedSources: result.networks
            .map((position) => networks[position]?.name ?? contract.unnamedFamily)
            .join('; '),
        };
  return columns.map((column) => cells[column]);
}
