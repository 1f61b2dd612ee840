// Runs before the first paint, so that a dark page never flashes white and a signed-in person never sees what is for visitors.
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Storage is switched off: the system decides.
  }
  const dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  const root = document.documentElement;
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  const state = document.querySelector('meta[name="page-state"]')?.content ?? '';
  if (state.includes('"signedOut":false')) root.setAttribute('data-session', 'unknown');
})();
