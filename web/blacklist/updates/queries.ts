import { getUpdates } from '#shared/blacklist/updates.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';

export const updatesQuery = endpointQuery(['updates'], getUpdates, { staleTime: 5 * 60 * 1000 });
