import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ErrorBody, ErrorCode } from '#shared/platform/errors.ts';
import { toNetwork } from './address.ts';
import { dataHeaders } from './headers.ts';

/** Times in milliseconds. Tests set shorter ones. */
export const requestDeadlines = {
  /** For the headers of a request. */
  headers: 15_000,
  /** For a body that is not an upload. */
  body: 30_000,
  /** An upload must progress in each window of this length. */
  uploadWindow: 30_000,
  /** Fewest bytes of an upload in each window. */
  uploadBytes: 100 * 1024,
  /**
   * A client must read some of a response in each window of this length. If it reads slowly, the system reports the
   * free space of its buffer only after a minute or more.
   */
  responseWindow: 120_000,
};

/** A client network that sends more malformed requests per minute gets no more responses to them. */
const maxMalformedPerMinute = 60;

/** How long a client that is refused can read the response. */
const lingerMs = 500;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Listener {
  /** Creates a server for each address that the app listens on. */
  serverFactory(handler: Handler): Server;
  /**
   * Stops accepting connections and closes idle ones. Running requests have `graceMs` to finish. Then all connections
   * are closed, whatever their clients do.
   */
  close(app: FastifyInstance, graceMs: number): Promise<void>;
}

/** Creates the HTTP servers of an app, with a deadline for each part of a request. */
export function createListener(log: FastifyBaseLogger, deadlines = requestDeadlines): Listener {
  const servers: Server[] = [];
  const responses = new WeakMap<Duplex, ServerResponse>();
  const countMalformed = createMinuteCounter();

  function refuse(socket: Duplex, status: 400 | 408 | 431): void {
    // The response to an earlier request may have begun on this connection.
    if (!socket.writable || responses.get(socket)?.headersSent) {
      socket.destroy();
      return;
    }
    socket.end(buildResponse(status));
    // To close the connection at once would discard the response while the client still sends.
    setTimeout(() => socket.destroy(), lingerMs).unref();
  }

  function handleClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
    const network = toNetwork('remoteAddress' in socket ? String(socket.remoteAddress) : undefined);
    if (countMalformed(network) > maxMalformedPerMinute) {
      socket.destroy();
      return;
    }
    log.debug({ code: error.code, network }, 'a request could not be read');
    refuse(socket, clientErrorStatus[error.code ?? ''] ?? 400);
  }

  function limitBody(request: IncomingMessage): void {
    if (!request.headers['content-length'] && !request.headers['transfer-encoding']) return;
    const { socket } = request;
    const isUpload = request.headers['content-type']?.startsWith('multipart/form-data') ?? false;
    let seenBytes = socket.bytesRead;
    const timer = setInterval(
      () => {
        if (request.complete) return clearInterval(timer);
        if (isUpload && hasProgressed(request, seenBytes, deadlines.uploadBytes)) {
          seenBytes = socket.bytesRead;
          return;
        }
        clearInterval(timer);
        refuse(socket, 408);
      },
      isUpload ? deadlines.uploadWindow : deadlines.body,
    ).unref();
    request.once('close', () => clearInterval(timer));
  }

  function limitResponse({ socket }: IncomingMessage, response: ServerResponse): void {
    let seenBytes = 0;
    const timer = setInterval(() => {
      const readBytes = socket.bytesWritten - socket.writableLength;
      // A client is not at fault while nothing waits for it.
      if (socket.writableLength > 0 && readBytes === seenBytes) socket.destroy();
      seenBytes = readBytes;
    }, deadlines.responseWindow).unref();
    response.once('close', () => clearInterval(timer));
  }

  return {
    serverFactory(handler) {
      const respond: Handler = (request, response) => {
        // There is nobody to respond to.
        if (request.socket.destroyed) return;
        responses.set(request.socket, response);
        limitBody(request);
        limitResponse(request, response);
        handler(request, response);
      };
      const server = createServer(
        {
          headersTimeout: deadlines.headers,
          connectionsCheckingInterval: Math.min(5000, deadlines.headers / 3),
          // An upload may take hours. limitBody limits bodies.
          requestTimeout: 0,
          keepAliveTimeout: 72_000,
          // fastify.ts refuses requests without a Host header, with a body.
          requireHostHeader: false,
          // No route upgrades a connection.
          shouldUpgradeCallback: () => false,
        },
        respond,
      );
      // An unknown expectation is ignored. The response of Node.js would leave the body without a deadline.
      server.on('checkExpectation', respond);
      // Node.js keeps the address that is read here. Once the client has disconnected, it is unknown.
      server.on('connection', (socket: Socket) => socket.remoteAddress);
      server.on('clientError', handleClientError);
      servers.push(server);
      return server;
    },

    async close(app, graceMs) {
      const closed = servers.filter(({ listening }) => listening).map((server) => once(server, 'close'));
      const end = setTimeout(() => {
        for (const server of servers) server.closeAllConnections();
      }, graceMs);
      // A response that began before the stop leaves its connection open.
      const sweep = setInterval(() => {
        for (const server of servers) server.closeIdleConnections();
      }, 100);
      try {
        await Promise.all([app.close(), ...closed]);
      } finally {
        clearTimeout(end);
        clearInterval(sweep);
      }
    },
  };
}

/** Whether enough of an upload arrived. A client is not at fault while the server does not read. */
function hasProgressed(request: IncomingMessage, seenBytes: number, minBytes: number): boolean {
  const isServerBusy = request.readableLength >= request.readableHighWaterMark;
  return isServerBusy || request.socket.bytesRead - seenBytes >= minBytes;
}

/** By the error codes of the HTTP parser. Others are 400. */
const clientErrorStatus: Record<string, 408 | 431> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const messages = {
  400: ['invalid', 'The request is not valid HTTP.'],
  408: ['invalid', 'The request took too long to arrive. Please try again.'],
  431: ['too_large', 'The headers of the request are too large.'],
} as const satisfies Record<number, readonly [ErrorCode, string]>;

/** A response to a request that never reached Fastify, in the shape of all errors. */
function buildResponse(status: keyof typeof messages): string {
  const [code, error] = messages[status];
  const body = JSON.stringify({ error, code, requestId: randomUUID() } satisfies ErrorBody);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    connection: 'close',
    ...dataHeaders,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

/** Returns a function that counts a use of a key and returns the number of its uses in this minute. */
function createMinuteCounter(): (key: string) => number {
  let counts = new Map<string, number>();
  let minute = 0;
  return (key) => {
    const now = Math.floor(Date.now() / 60_000);
    if (now !== minute) [counts, minute] = [new Map(), now];
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
}
