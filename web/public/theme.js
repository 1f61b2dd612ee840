// Runs before the first paint, so that a dark page never flashes white.
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Storage is switched off: the system decides.
  }
  const dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
