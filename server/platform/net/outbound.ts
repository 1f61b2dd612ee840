import { lookup as lookupSystem, Resolver } from 'node:dns/promises';
import { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { isPublicAddress } from './addresses.ts';

/** Why a request was not sent or has no usable response. */
export type OutboundProblem =
  /** Not an http or https URL, with credentials, or with a port that is not allowed. */
  | 'url'
  /** The host is, or resolves to, an address that is not public. */
  | 'private'
  /** The name does not exist, or the name server did not respond. */
  | 'dns'
  /** No connection, or an invalid certificate or response. */
  | 'connection'
  | 'timeout'
  | 'redirects'
  | 'size'
  /** This installation sends no requests. */
  | 'off';

/** A request to another host failed. The message is a sentence without its final period. */
export class OutboundError extends Error {
  readonly problem: OutboundProblem;

  constructor(problem: OutboundProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutboundError';
    this.problem = problem;
  }
}

export interface OutboundOptions {
  /** Allows every address and every port, for tests and intranets. */
  allowPrivate: boolean;
  userAgent: string;
  /** Name servers as `address` or `address:port`. Undefined: those of the system. */
  dnsServers?: readonly string[] | undefined;
  /** Sends no request and resolves no name. */
  isOff?: boolean;
  /** Which addresses are public. Replaced in tests, whose servers have private addresses. */
  isPublic?: (address: string) => boolean;
}

interface RequestSettings {
  /** The body of the response fails with the problem 'size' once it is larger. */
  maxBytes: number;
  /** For the whole request with its redirects and the body, in milliseconds. Default: no limit. */
  timeoutMs?: number;
  /** Without any data, in milliseconds. */
  idleTimeoutMs?: number;
  /** Additional request headers. They are sent to the targets of redirects too. */
  headers?: Record<string, string>;
  /** Allows ports other than 80 for http and 443 for https. */
  anyPort?: boolean;
  signal?: AbortSignal;
}

export interface GetOptions extends RequestSettings {
  /** `false`: returns a redirect instead of following it. */
  followRedirects?: boolean;
  /** Which targets of redirects are requested. Default: all. A refused one has the problem 'redirects'. */
  allowRedirect?: (target: URL) => boolean;
}

export interface PostOptions extends RequestSettings {
  body: string;
}

export interface OutboundResponse {
  status: number;
  /** The URL that responded, after redirects. */
  url: string;
  headers: IncomingHttpHeaders;
  /** Must be read or destroyed. Fails with an OutboundError. */
  body: Readable;
}

/** Sends requests to hosts that users name, without letting them reach private addresses. */
export interface Outbound {
  /** To create the same in another process. */
  readonly options: OutboundOptions;
  /**
   * Sends a GET request and follows up to five redirects. Every address that a host resolves to is checked before the
   * connection is made to exactly that address.
   * @throws OutboundError
   */
  get(url: string, options: GetOptions): Promise<OutboundResponse>;
  /** Sends a POST request like `get`, but returns a redirect instead of following it. @throws OutboundError */
  post(url: string, options: PostOptions): Promise<OutboundResponse>;
  /** @throws OutboundError if no request to this URL would be sent, whatever its host resolves to */
  checkUrl(url: string): void;
  /** Returns the TXT records of a name, empty if there are none. @throws OutboundError */
  resolveTxt(name: string): Promise<string[]>;
}

const maxRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const defaultPorts: ReadonlySet<string> = new Set(['', '80', '443']);
const defaultIdleTimeoutMs = 60_000;
const dnsTimeout = { timeout: 2000, tries: 2 };

export function createOutbound(options: OutboundOptions): Outbound {
  const { allowPrivate, userAgent, dnsServers, isOff = false, isPublic = isPublicAddress } = options;
  const requireOn = () => {
    if (isOff) throw new OutboundError('off', 'this is a demonstration, which sends no requests to others');
  };
  const isAllowed = (address: string) => allowPrivate || isPublic(address);
  const createResolver = () => {
    const resolver = new Resolver(dnsTimeout);
    if (dnsServers) resolver.setServers(dnsServers);
    return resolver;
  };

  /** Returns all addresses of a host. @throws if one of them is not allowed, so that no retry can reach it */
  async function resolveHost(host: string) {
    const found = dnsServers
      ? await resolveAddresses(createResolver(), host)
      : await lookupSystem(host, { all: true }).catch((error: unknown) => {
          throw dnsError(host, error);
        });
    if (found.length === 0) throw new OutboundError('dns', `${host} has no address`);
    for (const { address } of found) if (!isAllowed(address)) throw privateError(host, address);
    return found;
  }

  /** Connects only to checked addresses. Node.js does not call it for hosts that are IP addresses. */
  const lookup: LookupFunction = (host, { all }, callback) => {
    resolveHost(host).then(
      (found) => {
        const [first] = found;
        if (all || !first) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };

  function checkUrl(url: URL, anyPort: boolean): URL {
    if (!['http:', 'https:'].includes(url.protocol))
      throw new OutboundError('url', `${url} does not start with http:// or https://`);
    if (url.username || url.password)
      throw new OutboundError('url', `the URL of ${url.host} contains a username or password`);
    if (!anyPort && !allowPrivate && !defaultPorts.has(url.port))
      throw new OutboundError('url', `${url.host} uses a port other than 80 and 443`);
    const host = toHost(url);
    if (isIP(host) && !isAllowed(host)) throw privateError(host, host);
    return url;
  }

  /**
   * Starts a request with its time limits.
   * @returns a function that sends it to a URL; redirects count as one request
   */
  function openRequest({ maxBytes, timeoutMs, idleTimeoutMs, headers, signal }: RequestSettings, body?: string) {
    const stop = new AbortController();
    const signals = [stop.signal, signal, timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)];
    const stopped = AbortSignal.any(signals.filter((one) => one !== undefined));
    const request: RequestOptions = {
      method: body === undefined ? 'GET' : 'POST',
      // A new connection for each request: a kept one could belong to an address that was never checked.
      agent: false,
      lookup,
      headers: { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity', ...headers },
      signal: stopped,
      timeout: idleTimeoutMs ?? defaultIdleTimeoutMs,
    };
    return async (url: URL): Promise<OutboundResponse> => {
      requireOn();
      // An abort by the caller stays the caller's own error.
      const toError = (error: unknown) =>
        signal?.aborted ? signal.reason : toOutboundError(stopped.aborted ? stopped.reason : error, url);
      const onIdle = () => stop.abort(timeoutError(url));
      const response = await send(url, request, body, onIdle).catch((error: unknown) => {
        throw toError(error);
      });
      const readable = Readable.from(readLimited(response, url, maxBytes, toError), { objectMode: false });
      // The generator of a body that is destroyed unread has not started, so it cannot close the connection.
      readable.once('close', () => response.destroy());
      return { status: response.statusCode ?? 0, url: url.href, headers: response.headers, body: readable };
    };
  }

  return {
    options,

    async get(text, settings) {
      const { anyPort = false, followRedirects = true, allowRedirect = () => true } = settings;
      const request = openRequest(settings);
      let url = checkUrl(parseUrl(text), anyPort);
      for (let followed = 0; ; followed += 1) {
        const response = await request(url);
        const { location } = response.headers;
        if (!followRedirects || !redirects.has(response.status) || !location) return response;
        response.body.destroy();
        if (followed === maxRedirects)
          throw new OutboundError('redirects', `${text} redirects more than ${maxRedirects} times`);
        const target = parseUrl(location, url.href);
        if (!allowRedirect(target))
          throw new OutboundError('redirects', `${url.host} redirects to ${target.origin}, which is not allowed`);
        url = checkUrl(target, anyPort);
      }
    },

    async post(text, { body, ...settings }) {
      return await openRequest(settings, body)(checkUrl(parseUrl(text), settings.anyPort ?? false));
    },

    checkUrl(text) {
      checkUrl(parseUrl(text), false);
    },

    async resolveTxt(name) {
      requireOn();
      try {
        return (await createResolver().resolveTxt(name)).map((chunks) => chunks.join(''));
      } catch (error) {
        if (hasNoRecords(error)) return [];
        throw dnsError(name, error);
      }
    },
  };
}

/** Parses DNS_SERVERS. @returns undefined for text that is not a list of IP addresses with optional ports */
export function readDnsServers(text: string): string[] | undefined {
  const servers = text.split(',').map((part) => part.trim());
  const isServer = (server: string) => {
    const [, bracketed, port] =
      /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(server) ?? /^([\d.]+):(\d{1,5})$/.exec(server) ?? [];
    return isIP(bracketed ?? server) > 0 && Number(port ?? 53) <= 65_535;
  };
  return servers.every(isServer) ? servers : undefined;
}

/** Reads a body of at most `maxBytes` as UTF-8. @throws OutboundError */
export async function readBody({ body }: OutboundResponse): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function parseUrl(text: string, base?: string): URL {
  if (!URL.canParse(text, base)) throw new OutboundError('url', `${text} is not a URL`);
  return new URL(text, base);
}

/** The host without the brackets around an IPv6 address. */
const toHost = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1');

function send(
  url: URL,
  options: RequestOptions,
  body: string | undefined,
  onIdle: () => void,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, resolve);
    request.on('timeout', onIdle);
    request.on('error', reject);
    request.end(body);
  });
}

/** Yields the body. @throws OutboundError when it is too large or the connection fails */
async function* readLimited(
  response: IncomingMessage,
  url: URL,
  maxBytes: number,
  toError: (error: unknown) => unknown,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new OutboundError('size', `${url.host} sent more than ${maxBytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    throw toError(error);
  } finally {
    response.destroy();
  }
}

/** Returns the IPv4 and IPv6 addresses of a host. A host may have only one of the two. */
async function resolveAddresses(resolver: Resolver, host: string) {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [
    ...(v4.status === 'fulfilled' ? v4.value : []).map((address) => ({ address, family: 4 })),
    ...(v6.status === 'fulfilled' ? v6.value : []).map((address) => ({ address, family: 6 })),
  ];
  if (found.length === 0) throw dnsError(host, v4.status === 'rejected' ? v4.reason : undefined);
  return found;
}

const privateError = (host: string, address: string) =>
  new OutboundError(
    'private',
    host === address ? `${host} is not a public address` : `${host} has the address ${address}, which is not public`,
  );

const timeoutError = (url: URL) => new OutboundError('timeout', `${url.host} did not respond in time`);

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Whether the name server responded that there is no such name or no record of the type. */
const hasNoRecords = (error: unknown) => ['ENOTFOUND', 'ENODATA'].includes(codeOf(error));

function dnsError(host: string, error: unknown): OutboundError {
  const message = hasNoRecords(error)
    ? `no address was found for ${host}`
    : `the name server did not respond for ${host}`;
  return new OutboundError('dns', message, { cause: error });
}

function toOutboundError(error: unknown, url: URL): OutboundError {
  if (error instanceof OutboundError) return error;
  if (error instanceof Error && error.name === 'TimeoutError') return timeoutError(url);
  const code = codeOf(error);
  return new OutboundError('connection', `${url.host} could not be reached${code && ` (${code})`}`, { cause: error });
}
