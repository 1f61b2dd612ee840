/** The page on which a person chooses the account, in a window or in place of the app: `/emulator/auth/handler` of the provider. */
export const chooserPage = pageOf(
  'Sign in with Google (stand-in)',
  `<h1>Sign in with Google</h1>
  <form>
    <label>Email <input name="email" type="email" required></label>
    <label>Name <input name="name"></label>
    <label>Picture <input name="picture"></label>
    <button>Sign in</button>
  </form>`,
  () => {
    const asked = new URLSearchParams(location.search);
    document.querySelector('form')?.addEventListener('submit', (submitted) => {
      submitted.preventDefault();
      const { email, name, picture } = Object.fromEntries(new FormData(submitted.currentTarget as HTMLFormElement));
      const said = {
        sub: `google-${email}`,
        email,
        email_verified: true,
        ...(name && { name }),
        ...(picture && { picture }),
      };
      const answer = new URLSearchParams({ providerId: 'google.com', id_token: JSON.stringify(said) });
      const event = {
        type: asked.get('authType'),
        eventId: asked.get('eventId'),
        urlResponse: `${location.origin}${location.pathname}?${answer}`,
        sessionId: 'of-the-stand-in',
        postBody: '',
        tenantId: null,
        error: null,
      };
      if (event.type === 'signInViaRedirect') {
        sessionStorage.setItem('answer', JSON.stringify(event));
        location.replace(asked.get('redirectUrl') ?? '/');
      } else {
        new BroadcastChannel('answers').postMessage(event);
      }
    });
  },
);

/** The frame that the library keeps in the app to hear of answers: `/emulator/auth/iframe` of the provider. */
export const framePage = pageOf(
  'The frame of the stand-in',
  '<script src="https://apis.google.com/js/api.js"></script>',
  () => {
    interface Peer {
      register(type: string, handle: (value: unknown) => unknown): void;
      send(type: string, value: object): void;
    }
    const { gapi } = window as unknown as { gapi: { iframes: { getContext(): { getParentIframe(): Peer } } } };
    const app = gapi.iframes.getContext().getParentIframe();
    const tell = (authEvent: object) => app.send('authEvent', { type: 'authEvent', authEvent });
    app.register('webStorageSupport', () => ({ status: 'ACK', webStorageSupport: true }));
    new BroadcastChannel('answers').addEventListener('message', ({ data }) => tell(data));
    const kept = sessionStorage.getItem('answer');
    sessionStorage.removeItem('answer');
    tell(kept ? JSON.parse(kept) : { type: 'unknown', error: { code: 'auth/no-auth-event', message: 'none' } });
  },
);

function pageOf(title: string, body: string, script: () => void): string {
  return `<!doctype html><meta charset="utf-8"><title>${title}</title>${body}<script>(${script})()</script>`;
}
