import { open } from 'node:fs/promises';

/** Reads the kind of a file from its first bytes (APPNOTE.TXT by PKWARE; RFC 1952). */
export async function readKind(path: string): Promise<'zip' | 'gzip' | 'other'> {
  const start = await readBytes(path, 0, 4);
  if (start.startsWith('\x1f\x8b')) return 'gzip';
  return ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'].includes(start) ? 'zip' : 'other';
}

/** Returns bytes of a file as Latin-1 text, fewer at its end. */
export async function readBytes(path: string, position: number, length: number): Promise<string> {
  await using handle = await open(path);
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.toString('latin1', 0, bytesRead);
}
