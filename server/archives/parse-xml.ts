import type { Readable } from 'node:stream';
import sax from 'sax';
import type { Budget } from './budget.ts';

export interface XmlHandlers {
  onOpen(name: string, attributes: Record<string, string>): void;
  onText(text: string): void;
  onClose(name: string): void;
  /** Called after each chunk, to write what was collected. */
  onChunk?(): Promise<void>;
}

/** Parses XML while it is unpacked. Entities of a document type are not expanded. Throws for invalid XML. */
export async function parseXml(stream: Readable, budget: Budget, handlers: XmlHandlers): Promise<void> {
  const parser = sax.parser(true, { xmlns: false });
  const decoder = new TextDecoder();
  parser.onopentag = ({ name, attributes }) => handlers.onOpen(name, attributes as Record<string, string>);
  parser.ontext = handlers.onText;
  parser.oncdata = handlers.onText;
  parser.onclosetag = handlers.onClose;
  parser.onerror = (error) => {
    throw error;
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    budget.addBytes(chunk.length);
    parser.write(decoder.decode(chunk, { stream: true }));
    await handlers.onChunk?.();
  }
  parser.write(decoder.decode()).close();
}
