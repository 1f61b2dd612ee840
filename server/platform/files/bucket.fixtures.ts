import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

/**
 * What the proxy in front of the storage does with a request. The storage itself cannot list a second page on Node 24.
 */
export type Fault =
  | 'none'
  /** Refuses it with this status. */
  | 403
  | 503
  /** Closes the connection after the first part of its body. */
  | 'cut-request'
  /** Closes the connection after half of the response. */
  | 'cut-response'
  /** Changes a byte of the response. */
  | 'damage-response'
  /** Sends half of the response, and then nothing. */
  | 'stall-response'
  /** Never responds. */
  | 'hang'
  /** Responds with this XML. */
  | { xml: string };

const credentials = { S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' };

/**
 * Starts a storage that speaks the protocol of S3, with an empty bucket, and a proxy that causes faults.
 * @returns settings for a server that uses it through the proxy, and controls
 */
export async function startStorage() {
  const directory = await mkdtemp(join(tmpdir(), 'linksieve-bucket-'));
  const storage = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: 'uploads', configs: [] }],
  });
  const { port } = await storage.run();
  let findFault: (request: IncomingMessage) => Fault = () => 'none';
  const requests: string[] = [];
  const proxy = createServer((incoming, outgoing) => {
    requests.push(incoming.method ?? '');
    forward(incoming, outgoing, port, findFault(incoming));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port: proxyPort } = proxy.address() as AddressInfo;
  return {
    settings: {
      FILES: 's3',
      S3_ENDPOINT: `http://127.0.0.1:${proxyPort}`,
      S3_REGION: 'us-east-1',
      S3_BUCKET: 'uploads',
      S3_PREFIX: 'linksieve',
      ...credentials,
    },
    /** The same bucket, without a prefix. */
    bucket: {
      endpoint: `http://127.0.0.1:${proxyPort}`,
      region: 'us-east-1',
      name: 'uploads',
      prefix: '',
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    },
    /** Lets the proxy cause faults from now on. */
    cause(find: Fault | ((request: IncomingMessage) => Fault)): void {
      findFault = typeof find === 'function' ? find : () => find;
    },
    /** The methods of all requests so far. */
    requests,
    /** Returns the names of the stored files, with their prefix. */
    async list(): Promise<string[]> {
      const names = await readdir(join(directory, 'uploads'), { recursive: true }).catch(() => []);
      return names
        .filter((name) => name.endsWith('._S3rver_object'))
        .map((name) => name.replace(/\._S3rver_object$/, ''));
    },
    /** The folder in which the storage keeps the bucket. */
    directory,
    async stop(): Promise<void> {
      proxy.closeAllConnections();
      proxy.close();
      await storage.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, port: number, fault: Fault): void {
  if (fault === 'hang') {
    incoming.resume();
    return;
  }
  if (fault === 'cut-request') {
    incoming.once('data', () => incoming.destroy());
    return;
  }
  if (typeof fault === 'number') {
    incoming.resume();
    const code = fault === 403 ? 'AccessDenied' : 'SlowDown';
    incoming.on('end', () => {
      outgoing.writeHead(fault, { 'content-type': 'application/xml' });
      outgoing.end(`<Error><Code>${code}</Code><Message>The proxy refuses it.</Message></Error>`);
    });
    return;
  }
  if (typeof fault === 'object') {
    outgoing.writeHead(200, { 'content-type': 'application/xml' });
    outgoing.end(fault.xml);
    return;
  }
  const { method, url, headers } = incoming;
  const sent = request({ host: '127.0.0.1', port, method, path: url, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 500, response.headers);
    if (fault === 'none') {
      response.pipe(outgoing);
      return;
    }
    response.once('data', (chunk: Buffer) => {
      if (fault === 'damage-response') {
        chunk[0] = (chunk[0] ?? 0) ^ 1;
        outgoing.write(chunk);
        response.pipe(outgoing);
        return;
      }
      outgoing.write(chunk.subarray(0, chunk.length / 2), () => {
        if (fault === 'cut-response') outgoing.destroy();
      });
      response.resume();
    });
    // It has no body to damage.
    if (response.headers['content-length'] === undefined || method === 'HEAD') outgoing.end();
  });
  sent.on('error', () => outgoing.destroy());
  incoming.pipe(sent);
}
