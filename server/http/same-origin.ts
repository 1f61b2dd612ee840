import type { FastifyInstance, FastifyRequest } from 'fastify';
import { forbidden } from './errors.ts';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses unsafe methods that a browser sends on another site's behalf: `Sec-Fetch-Site` first, `Origin` where it is missing,
 * and a cookie with neither header is no browser of ours. Key holders' calls carry no cookie and are not concerned.
 */
export function refuseCrossSite(app: FastifyInstance, publicOrigin: string | undefined): void {
  app.addHook('onRequest', async (request) => {
    if (safe.has(request.method)) return;
    const site = request.headers['sec-fetch-site'];
    const { origin } = request.headers;
    if (site && site !== 'same-origin' && site !== 'none') throw crossSite();
    if (origin && !isOurs(origin, request, publicOrigin)) throw crossSite();
    if (!site && !origin && request.headers.cookie) throw crossSite();
  });
}

function isOurs(origin: string, request: FastifyRequest, publicOrigin: string | undefined): boolean {
  return origin === publicOrigin || (URL.canParse(origin) && new URL(origin).host === request.headers.host);
}

const crossSite = () => forbidden('This request came from another site.');
