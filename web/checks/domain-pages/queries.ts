import { getDomainVerdict } from '#shared/checks/domain-pages.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';

/** What the page of a domain says. @param name as in its URL */
export const verdictQuery = (name: string) =>
  endpointQuery(['domains', 'verdict', name], getDomainVerdict, { params: { name } });
