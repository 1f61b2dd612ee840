import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import sax from 'sax';
import type { Budget } from './budget.ts';

export interface XmlHandlers {
  onOpen(name: string, attributes: Record<string, string>): void;
  onText(text: string): void;
  onClose(name: string): void;
  /** Called after each chunk, to write what was collected. */
  onChunk?(): Promise<void>;
}

/** Maximum nesting of elements. Spreadsheets have about ten levels. */
const maxDepth = 256;

/**
 * Parses XML while it is unpacked. Entities of a document type are not expanded.
 * @throws for invalid XML, and for XML that is nested too deeply
 */
export async function parseXml(stream: Readable, budget: Budget, handlers: XmlHandlers): Promise<void> {
  const parser = sax.parser(true, { xmlns: false });
  let decoder: TextDecoder | undefined;
  let depth = 0;
  parser.onopentag = ({ name, attributes }) => {
    depth += 1;
    if (depth > maxDepth) throw new Error('The XML is nested too deeply.');
    handlers.onOpen(name, attributes as Record<string, string>);
  };
  parser.ontext = handlers.onText;
  parser.oncdata = handlers.onText;
  parser.onclosetag = (name) => {
    depth -= 1;
    handlers.onClose(name);
  };
  parser.onerror = (error) => {
    throw error;
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    budget.addBytes(chunk.length);
    decoder ??= new TextDecoder(readEncoding(chunk));
    parser.write(decoder.decode(chunk, { stream: true }));
    await handlers.onChunk?.();
  }
  parser.write(decoder?.decode() ?? '').close();
}

/** XML starts with < or a byte order mark, and is UTF-8 or UTF-16 in spreadsheets (ECMA-376, part 2, 6.2.5). */
function readEncoding([first, second]: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || first === 0 ? 'utf-16be' : 'utf-8';
}
