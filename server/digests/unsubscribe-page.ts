import { escapeHtml } from '#shared/html.ts';

const texts = {
  ask: {
    title: 'Unsubscribe from alert emails',
    text: 'Linksieve will send no more digests and reminders for your websites. Your alerts stay available on the site.',
    settings: 'Choose emails for each website instead',
  },
  done: {
    title: 'You are unsubscribed',
    text: 'Linksieve sends no more digests and reminders for your websites. Your alerts stay available on the site.',
    settings: 'Turn emails on again',
  },
  unknown: {
    title: 'This link is not valid',
    text: 'Open the link in the email again. You can also unsubscribe in the settings of your account.',
    settings: 'Open the settings',
  },
};

// The form has the field that mail programs send, so that both requests are the same.
const form =
  '<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Unsubscribe</button></form>';

/** Returns a page that needs neither scripts nor a session. `nonce` allows its styles. */
export function renderUnsubscribePage(state: keyof typeof texts, nonce: string): string {
  const { title, text, settings } = texts[state];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} | Linksieve</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style nonce="${escapeHtml(nonce)}">
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5; }
main { max-width: 32rem; margin: 15vh auto 0; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
button { font: inherit; font-weight: 600; padding: 0.5rem 1.25rem; }
</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${state === 'ask' ? form : ''}
<p><a href="/account?tab=alerts">${escapeHtml(settings)}</a></p>
</main>
</body>
</html>
`;
}
