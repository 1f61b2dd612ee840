import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { unreachablePrefix } from '#shared/blacklist/feeds.ts';
import { UnreadableFile } from '../../platform/csv/unreadable-file.ts';
import { type Outbound, OutboundError, type OutboundResponse } from '../../platform/net/outbound.ts';

/** What identifies a copy of a list. The next request sends it, so that an unchanged list is not sent again. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
  /** SHA-256 of the body, for servers that ignore the other two. */
  bodyHash: Buffer | null;
}

export interface Download {
  /** Size of the body. */
  bytes: number;
  /** The file with the body; undefined if the list has not changed since the copy that the validators identify. */
  path: string | undefined;
  validators: Validators;
}

const maxListBytes = 100 * 1024 * 1024;
/** A server that sends a few bytes a minute must not keep a run forever. */
const defaultTimeouts = { idleTimeoutMs: 60_000, timeoutMs: 15 * 60_000 };

/**
 * Downloads a list to a file in `folder`. Sends no cookies, and the User-Agent of `outbound`.
 * @throws UnreadableFile with a sentence for an admin if the list cannot be downloaded
 */
export async function downloadList(
  outbound: Pick<Outbound, 'get'>,
  { url, known }: { url: string; known: Validators },
  folder: string,
  {
    onBytes,
    timeouts = defaultTimeouts,
  }: { onBytes: (bytes: number, total: number | undefined) => void; timeouts?: typeof defaultTimeouts },
): Promise<Download> {
  const headers = conditions(known);
  try {
    const response = await outbound.get(url, {
      maxBytes: maxListBytes,
      // Only admins name lists, for example those that another installation publishes.
      anyPort: true,
      ...timeouts,
      headers,
    });
    if (response.status === 304 && Object.keys(headers).length > 0) {
      response.body.destroy();
      return { bytes: 0, path: undefined, validators: known };
    }
    if (response.status !== 200) {
      response.body.destroy();
      throw new UnreadableFile('unreachable', describeStatus(response.status));
    }
    return await save(response, known, folder, onBytes);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new UnreadableFile(error.problem === 'size' ? 'too_large' : 'unreachable', describeProblem(error));
  }
}

function conditions({ etag, lastModified }: Validators): Record<string, string> {
  if (etag !== null) return { 'if-none-match': etag };
  return lastModified === null ? {} : { 'if-modified-since': lastModified };
}

async function save(
  { body, headers }: OutboundResponse,
  known: Validators,
  folder: string,
  onBytes: (bytes: number, total: number | undefined) => void,
): Promise<Download> {
  const path = join(folder, 'list');
  const hash = createHash('sha256');
  const total = Number(headers['content-length']) || undefined;
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      onBytes(bytes, total);
      done(null, chunk);
    },
  });
  await pipeline(body, measure, createWriteStream(path));
  const bodyHash = hash.digest();
  const isSame = known.bodyHash?.equals(bodyHash) === true;
  const { etag, 'last-modified': lastModified } = headers;
  return {
    bytes,
    path: isSame ? undefined : path,
    validators: { etag: etag ?? null, lastModified: lastModified ?? null, bodyHash },
  };
}

function describeStatus(status: number): string {
  const name = STATUS_CODES[status];
  const answer = `The server responded with ${status}${name ? ` ${name}` : ''}.`;
  if (status === 404 || status === 410) return `${answer} Check the address of the list.`;
  if (status === 401 || status === 403) return `${answer} The list is not public.`;
  return `${answer} Linksieve tries again later.`;
}

function describeProblem({ problem, message }: OutboundError): string {
  if (problem === 'dns' || problem === 'connection' || problem === 'timeout') return `${unreachablePrefix}${message}.`;
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  if (problem === 'size') return `The list is larger than ${maxListBytes / 1024 / 1024} MB.`;
  if (problem === 'private') return `${sentence} Set ALLOW_PRIVATE_ADDRESSES=1 if this list is in your own network.`;
  return sentence;
}
