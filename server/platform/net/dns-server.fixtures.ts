import { createSocket } from 'node:dgram';

/** Records by lower-case name. Addresses are IPv4. */
export interface DnsRecords {
  txt?: Record<string, readonly string[]>;
  a?: Record<string, readonly string[]>;
}

const types = { a: 1, txt: 16 } as const;

/**
 * Starts a DNS server on a UDP port (RFC 1035), which responds from `records`, also after they change. Names without
 * records do not exist. It stops with the process, or when `signal` is aborted.
 * @param port a free one by default. Rejects if it is in use.
 * @returns its address for `Resolver.setServers`
 */
export async function startDnsServer(records: DnsRecords, port = 0, signal?: AbortSignal): Promise<string> {
  const socket = createSocket({ type: 'udp4', ...(signal && { signal }) });
  socket.on('message', (query, { address, port }) => socket.send(answer(query, records), port, address));
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, '127.0.0.1', resolve);
  });
  socket.unref();
  return `127.0.0.1:${socket.address().port}`;
}

function answer(query: Buffer, { txt = {}, a = {} }: DnsRecords): Buffer {
  const { name, end } = readName(query, 12);
  const type = query.readUInt16BE(end);
  const data = [
    ...(type === types.txt ? (txt[name] ?? []).map(toText) : []),
    ...(type === types.a ? (a[name] ?? []).map((ip) => Buffer.from(ip.split('.').map(Number))) : []),
  ];
  const exists = name in txt || name in a;
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  // A response, recursion desired and available, and the code 3 for a name that does not exist.
  head.writeUInt16BE(0x8180 | (exists ? 0 : 3), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 6);
  return Buffer.concat([head, query.subarray(12, end + 4), ...data.map((value) => toRecord(type, value))]);
}

/** Reads the labels of a name. @returns the name in lower case and the position after it */
function readName(query: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length).toLowerCase());
    at += length + 1;
  }
  return { name: labels.join('.'), end: at + 1 };
}

/** A record of the name in the question, to which 0xc00c points. */
function toRecord(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** A text in chunks of up to 255 bytes, each after its length. */
function toText(text: string): Buffer {
  const bytes = Buffer.from(text);
  const chunks: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += 255) {
    const chunk = bytes.subarray(at, at + 255);
    chunks.push(Buffer.from([chunk.length]), chunk);
  }
  return Buffer.concat(chunks);
}
