/** The page `/emulator/auth/handler`, where users choose a Google account. It opens in a popup or replaces the app. */
export const chooserPage = buildPage(
  'Sign in with Google (stand-in)',
  `<h1>Sign in with Google</h1>
  <form>
    <label>Email <input name="email" type="email" required></label>
    <label>Name <input name="name"></label>
    <label>Picture <input name="picture"></label>
    <button>Sign in</button>
  </form>`,
  () => {
    const params = new URLSearchParams(location.search);
    document.querySelector('form')?.addEventListener('submit', (submitEvent) => {
      submitEvent.preventDefault();
      const { email, name, picture } = Object.fromEntries(new FormData(submitEvent.currentTarget as HTMLFormElement));
      const claims = {
        sub: `google-${email}`,
        email,
        email_verified: true,
        ...(name && { name }),
        ...(picture && { picture }),
      };
      const response = new URLSearchParams({ providerId: 'google.com', id_token: JSON.stringify(claims) });
      const event = {
        type: params.get('authType'),
        eventId: params.get('eventId'),
        urlResponse: `${location.origin}${location.pathname}?${response}`,
        sessionId: 'e2e-session',
        postBody: '',
        tenantId: null,
        error: null,
      };
      if (event.type === 'signInViaRedirect') {
        sessionStorage.setItem('authEvent', JSON.stringify(event));
        location.replace(params.get('redirectUrl') ?? '/');
      } else {
        new BroadcastChannel('authEvents').postMessage(event);
      }
    });
  },
);

/** The page `/emulator/auth/iframe`, which the library embeds in the app to receive the result of a sign-in. */
export const framePage = buildPage(
  'Sign-in frame (stand-in)',
  '<script src="https://apis.google.com/js/api.js"></script>',
  () => {
    interface Peer {
      register(type: string, handle: (value: unknown) => unknown): void;
      send(type: string, value: object): void;
    }
    const { gapi } = window as unknown as { gapi: { iframes: { getContext(): { getParentIframe(): Peer } } } };
    const app = gapi.iframes.getContext().getParentIframe();
    const sendAuthEvent = (authEvent: object) => app.send('authEvent', { type: 'authEvent', authEvent });
    app.register('webStorageSupport', () => ({ status: 'ACK', webStorageSupport: true }));
    new BroadcastChannel('authEvents').addEventListener('message', ({ data }) => sendAuthEvent(data));
    const stored = sessionStorage.getItem('authEvent');
    sessionStorage.removeItem('authEvent');
    sendAuthEvent(
      stored ? JSON.parse(stored) : { type: 'unknown', error: { code: 'auth/no-auth-event', message: 'none' } },
    );
  },
);

function buildPage(title: string, body: string, script: () => void): string {
  return `<!doctype html><meta charset="utf-8"><title>${title}</title>${body}<script>(${script})()</script>`;
}
