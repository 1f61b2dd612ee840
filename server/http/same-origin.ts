import type { FastifyInstance, FastifyRequest } from 'fastify';
import { forbidden } from './errors.ts';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses unsafe methods, and GETs that change something, that a browser sends on another site's behalf: `Sec-Fetch-Site` first,
 * `Origin` where it is missing, and a cookie with neither header is no browser of ours. With a GET over plain HTTP browsers send
 * neither, but `Referer`, as our pages' policy allows. Calls with an API key may come from any site.
 */
export function refuseCrossSite(app: FastifyInstance, publicOrigin: string | undefined): void {
  app.addHook('onRequest', async (request) => {
    const { access, changes } = request.routeOptions.config;
    // Their scope knows no cookie: whoever sends the key has it.
    if (access === 'key') return;
    if (safe.has(request.method) && !changes) return;
    const site = request.headers['sec-fetch-site'];
    const { origin } = request.headers;
    // A link in a letter comes from nowhere too, which only a GET can do.
    if (site && site !== 'same-origin' && (site !== 'none' || changes)) throw crossSite();
    if (origin && !isOurs(origin, request, publicOrigin)) throw crossSite();
    if (site || origin || !request.headers.cookie) return;
    const { referer } = request.headers;
    if (!safe.has(request.method) || !referer || !isOurs(originOf(referer), request, publicOrigin)) throw crossSite();
  });
}

function isOurs(origin: string, request: FastifyRequest, publicOrigin: string | undefined): boolean {
  return origin === publicOrigin || (URL.canParse(origin) && new URL(origin).host === request.headers.host);
}

const originOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : 'null');

const crossSite = () => forbidden('This request came from another site.');
