import type { BrowserContext } from '@playwright/test';

/** Serves a stand-in for Google's script, which the library loads before it signs anybody in: the run needs no network. */
export async function mockGapi(context: BrowserContext): Promise<void> {
  const body = `(${fakeGapi})()`;
  await context.route('https://apis.google.com/js/api.js*', (route) =>
    route.fulfill({ contentType: 'text/javascript', body }),
  );
  // The emulator's pages ask for fonts and styles, and do without.
  await context.route(/^https:\/\/(?:unpkg\.com|fonts\.googleapis\.com)\//, (route) => route.abort());
}

/** The part of gapi that the library and its pages use: frames that call each other's handlers by name. Runs in the browser. */
function fakeGapi(): void {
  type Handle = (value: unknown) => unknown;
  interface Letter {
    gapi: 'call' | 'answer';
    id: string;
    type: string;
    value: unknown;
  }
  const handlers = new Map<string, Handle>();
  const early = new Map<string, MessageEvent<Letter>[]>();
  const waiting = new Map<string, Handle>();

  const answer = async (event: MessageEvent<Letter>, handle: Handle) => {
    const letter: Letter = { ...event.data, gapi: 'answer', value: [await handle(event.data.value)] };
    event.source?.postMessage(letter, { targetOrigin: '*' });
  };
  addEventListener('message', (event: MessageEvent<Letter>) => {
    const { gapi, id, type, value } = event.data ?? {};
    if (gapi === 'answer') {
      waiting.get(id)?.(value);
      waiting.delete(id);
    } else if (gapi === 'call') {
      const handle = handlers.get(type);
      if (handle) void answer(event, handle);
      else early.set(type, [...(early.get(type) ?? []), event]);
    }
  });

  const peerOf = (target: Window | null) => ({
    restyle: async () => undefined,
    ping: async () => undefined,
    register(type: string, handle: Handle) {
      handlers.set(type, handle);
      for (const event of early.get(type) ?? []) void answer(event, handle);
      early.delete(type);
    },
    send(type: string, value: unknown, onAnswer?: Handle) {
      const id = crypto.randomUUID();
      if (onAnswer) waiting.set(id, onAnswer);
      target?.postMessage({ gapi: 'call', id, type, value } satisfies Letter, '*');
    },
  });

  type Peer = ReturnType<typeof peerOf>;
  interface FrameOptions {
    url: string;
    where: HTMLElement;
    attributes: { style: Partial<CSSStyleDeclaration> };
  }
  const context = {
    getParentIframe: () => peerOf(window.parent),
    open: ({ url, where, attributes }: FrameOptions, onReady: (peer: Peer) => Promise<Peer>) =>
      new Promise((resolve, reject) => {
        const frame = document.createElement('iframe');
        Object.assign(frame.style, attributes.style);
        frame.src = url;
        frame.onload = () => onReady(peerOf(frame.contentWindow)).then(resolve, reject);
        where.append(frame);
      }),
  };
  const iframes = { Iframe: () => undefined, CROSS_ORIGIN_IFRAMES_FILTER: () => true, getContext: () => context };
  const load = (_names: string, then: { callback(): void } | (() => void)) =>
    setTimeout(typeof then === 'function' ? then : then.callback);
  const page = window as unknown as Record<string, unknown>;
  page.gapi = { load, iframes };
  const named = new URL((document.currentScript as HTMLScriptElement).src).searchParams.get('onload');
  const ready = page[named ?? 'gapi_onload'];
  if (typeof ready === 'function') ready();
}
