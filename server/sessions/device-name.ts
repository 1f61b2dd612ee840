/**
 * A device in words, from what its browser says of itself: 'Firefox on Windows'. The header is anybody's text: only words of
 * these lists leave, or the plain name of a program ('curl').
 */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device';
  const browser = browsers.find(({ sign }) => userAgent.includes(sign))?.name;
  const system = systems.find(({ sign }) => userAgent.includes(sign))?.name;
  if (browser && system) return `${browser} on ${system}`;
  if (system) return `A browser on ${system}`;
  return browser ?? /^(?!Mozilla\/)([A-Za-z][\w.-]{0,30})\//.exec(userAgent)?.[1] ?? 'Unknown device';
}

// In this order: most of them also name the ones below, which came before them.
const browsers = [
  { sign: 'Edg/', name: 'Edge' },
  { sign: 'EdgA/', name: 'Edge' },
  { sign: 'EdgiOS/', name: 'Edge' },
  { sign: 'OPR/', name: 'Opera' },
  { sign: 'OPT/', name: 'Opera' },
  { sign: 'Vivaldi/', name: 'Vivaldi' },
  { sign: 'SamsungBrowser/', name: 'Samsung Internet' },
  { sign: 'DuckDuckGo/', name: 'DuckDuckGo' },
  { sign: 'FxiOS/', name: 'Firefox' },
  { sign: 'Firefox/', name: 'Firefox' },
  { sign: 'CriOS/', name: 'Chrome' },
  { sign: 'Chrome/', name: 'Chrome' },
  { sign: 'Safari/', name: 'Safari' },
];

const systems = [
  { sign: 'iPhone', name: 'iPhone' },
  { sign: 'iPad', name: 'iPad' },
  { sign: 'Android', name: 'Android' },
  { sign: 'CrOS', name: 'ChromeOS' },
  { sign: 'Windows', name: 'Windows' },
  { sign: 'Macintosh', name: 'macOS' },
  { sign: 'Linux', name: 'Linux' },
];
