import { escapeHtml } from '#shared/platform/html.ts';

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
:root {
  color-scheme: light dark;
  --page: light-dark(#faf7f0, #10161f);
  --text: light-dark(#232a35, #ece6da);
  --fill: light-dark(#1d2f4b, #f0b04a);
  --on-fill: light-dark(#fffdf8, #16202f);
  --focus: light-dark(#b97a0a, #fffdf8);
}
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 'Inter Variable', system-ui, sans-serif; }
main { max-width: 32rem; margin: 12vh auto 0; padding: 0 1.25rem; }
.brand { display: flex; align-items: center; gap: 0.5rem; font-weight: 650; text-decoration: none; }
h1 { margin: 2rem 0 0.5rem; font-size: 1.5rem; line-height: 1.25; }
a { color: inherit; }
button {
  padding: 0.625rem 1.25rem; border: 0; border-radius: 6px; background: var(--fill); color: var(--on-fill);
  font: inherit; font-weight: 600; cursor: pointer;
}
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
</style>
</head>
<body>
<main>
<a class="brand" href="/"><img src="/favicon.svg" width="26" height="26" alt="">Linksieve</a>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${state === 'ask' ? form : ''}
<p><a href="/account?tab=notifications">${escapeHtml(settings)}</a></p>
</main>
</body>
</html>
`;
}
