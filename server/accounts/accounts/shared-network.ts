import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { getClientAddress, getClientNetwork, isBehindUnknownProxy, mayBeProxy } from '../../platform/http/address.ts';
import { isCrowded, isSharedNetworkReported, reportSharedNetwork } from '../../platform/throttle/throttle.ts';

type ReportContext = Pick<Context, 'db' | 'log' | 'now'>;

/**
 * Warns the operator, at most once an hour, if all visitors seem to have the address of a proxy. Then everyone shares
 * the limits of this address. Call it for each attempt to sign in and each registration.
 */
export async function warnAboutSharedNetwork({ db, log, now }: ReportContext, request: FastifyRequest): Promise<void> {
  if (!mayBeProxy(request)) return;
  const at = now();
  if (!isBehindUnknownProxy(request) && !(await isCrowded(db, getClientNetwork(request), at))) return;
  if ((await isSharedNetworkReported(db, at)) || !(await reportSharedNetwork(db, at))) return;
  log.warn(
    `all visitors seem to have the address ${getClientAddress(request)}, so they share its limits: if it is a proxy, set TRUST_PROXY`,
  );
}
