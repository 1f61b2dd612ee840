import type { BrowserContext } from '@playwright/test';

/**
 * Replaces Google's gapi script, which the Firebase library loads to sign users in, so that the tests need no network.
 */
export async function mockGapi(context: BrowserContext): Promise<void> {
  const body = `(${fakeGapi})()`;
  await context.route('https://apis.google.com/js/api.js*', (route) =>
    route.fulfill({ contentType: 'text/javascript', body }),
  );
  // The emulator's pages load fonts and styles, and work without them.
  await context.route(/^https:\/\/(?:unpkg\.com|fonts\.googleapis\.com)\//, (route) => route.abort());
}

/** The part of gapi that the library uses: frames that call each other's handlers by type. Runs in the browser. */
function fakeGapi(): void {
  type Handler = (value: unknown) => unknown;
  interface Message {
    gapi: 'call' | 'response';
    id: string;
    type: string;
    value: unknown;
  }
  const handlers = new Map<string, Handler>();
  const unhandledCalls = new Map<string, MessageEvent<Message>[]>();
  const pendingResponses = new Map<string, Handler>();

  const respond = async (event: MessageEvent<Message>, handle: Handler) => {
    const message: Message = { ...event.data, gapi: 'response', value: [await handle(event.data.value)] };
    event.source?.postMessage(message, { targetOrigin: '*' });
  };
  addEventListener('message', (event: MessageEvent<Message>) => {
    const { gapi, id, type, value } = event.data ?? {};
    if (gapi === 'response') {
      pendingResponses.get(id)?.(value);
      pendingResponses.delete(id);
    } else if (gapi === 'call') {
      const handle = handlers.get(type);
      if (handle) void respond(event, handle);
      else unhandledCalls.set(type, [...(unhandledCalls.get(type) ?? []), event]);
    }
  });

  const createPeer = (target: Window | null) => ({
    restyle: async () => undefined,
    ping: async () => undefined,
    register(type: string, handle: Handler) {
      handlers.set(type, handle);
      for (const event of unhandledCalls.get(type) ?? []) void respond(event, handle);
      unhandledCalls.delete(type);
    },
    send(type: string, value: unknown, onResponse?: Handler) {
      const id = crypto.randomUUID();
      if (onResponse) pendingResponses.set(id, onResponse);
      target?.postMessage({ gapi: 'call', id, type, value } satisfies Message, '*');
    },
  });

  type Peer = ReturnType<typeof createPeer>;
  interface FrameOptions {
    url: string;
    where: HTMLElement;
    attributes: { style: Partial<CSSStyleDeclaration> };
  }
  const context = {
    getParentIframe: () => createPeer(window.parent),
    open: ({ url, where, attributes }: FrameOptions, onReady: (peer: Peer) => Promise<Peer>) =>
      new Promise((resolve, reject) => {
        const frame = document.createElement('iframe');
        Object.assign(frame.style, attributes.style);
        frame.src = url;
        frame.onload = () => onReady(createPeer(frame.contentWindow)).then(resolve, reject);
        where.append(frame);
      }),
  };
  const iframes = { Iframe: () => undefined, CROSS_ORIGIN_IFRAMES_FILTER: () => true, getContext: () => context };
  const load = (_names: string, then: { callback(): void } | (() => void)) =>
    setTimeout(typeof then === 'function' ? then : then.callback);
  const globals = window as unknown as Record<string, unknown>;
  globals.gapi = { load, iframes };
  const callbackName = new URL((document.currentScript as HTMLScriptElement).src).searchParams.get('onload');
  const onLoad = globals[callbackName ?? 'gapi_onload'];
  if (typeof onLoad === 'function') onLoad();
}
