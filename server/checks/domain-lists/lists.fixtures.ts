import type { DomainList } from '#shared/checks/domain-lists.ts';
import type { TestApp } from '../../test-app.fixtures.ts';

/** How a test calls the endpoints of lists: from a new address each time, as a visitor unless `as` is a session. */
export interface ListCall {
  as?: string;
  from?: string;
}

let addresses = 0;
const newAddress = () => `10.2.${addresses >> 8}.${addresses++ & 255}`;

/** Functions that call the endpoints of lists. */
export function buildListCalls({ app }: Pick<TestApp, 'app'>) {
  const send = (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    { as, from = newAddress() }: ListCall,
    { payload, headers = {} }: { payload?: string | object | Buffer; headers?: Record<string, string> } = {},
  ) =>
    app.inject({
      method,
      url,
      remoteAddress: from,
      headers: { host: 'localhost:3000', 'sec-fetch-site': 'same-origin', ...(as && { cookie: as }), ...headers },
      ...(payload !== undefined && { payload }),
    });
  const paste = (text: string, options: ListCall = {}) =>
    send('POST', '/api/domain-lists', options, { payload: { text } });
  const upload = (content: string | Uint8Array, options: ListCall & { fileName?: string } = {}) => {
    const boundary = 'a-boundary-that-no-file-contains';
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${options.fileName ?? 'list.csv'}"\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${boundary}--\r\n`)]);
    return send('POST', '/api/domain-lists', options, {
      payload: body,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
  };
  const open = (id: string, options: ListCall = {}) => send('GET', `/api/domain-lists/${id}`, options);
  const exportCsv = (id: string, options: ListCall = {}) => send('GET', `/api/domain-lists/${id}/csv`, options);
  /** Pastes a list and returns it. @throws if it is refused */
  const check = async (text: string, options: ListCall = {}): Promise<DomainList> => {
    const response = await paste(text, options);
    if (response.statusCode !== 201) throw new Error(response.body);
    return response.json();
  };
  return { send, paste, upload, open, exportCsv, check };
}

/** The results as short texts: 'one.com = $5' with its price, if it has one. */
export const toTexts = ({ results }: Pick<DomainList, 'results'>): string[] =>
  results.map(({ domain, price }) => (price === null ? domain : `${domain} = ${price}`));
