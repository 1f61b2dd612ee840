/**
 * The name of a device, such as 'Firefox on Windows', from a User-Agent header. The header is untrusted: the result
 * contains only names from the lists in this file, or the name of a program such as 'curl'.
 */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device';
  const browser = browsers.find(({ sign }) => sign.test(userAgent))?.name;
  const system = systems.find(({ sign }) => userAgent.includes(sign))?.name;
  if (browser && system) return `${browser} on ${system}`;
  if (system) return `A browser on ${system}`;
  return browser ?? /^(?!Mozilla\/)([A-Za-z][\w.-]{0,30})\//.exec(userAgent)?.[1] ?? 'Unknown device';
}

// The order matters: the User-Agent of most browsers also contains names that come later in this list.
const browsers = [
  { sign: /Edg(A|iOS)?\//, name: 'Edge' },
  { sign: /OP[RT]\//, name: 'Opera' },
  { sign: /Vivaldi\//, name: 'Vivaldi' },
  { sign: /SamsungBrowser\//, name: 'Samsung Internet' },
  { sign: /DuckDuckGo\//, name: 'DuckDuckGo' },
  { sign: /(FxiOS|Firefox)\//, name: 'Firefox' },
  { sign: /(CriOS|Chrome)\//, name: 'Chrome' },
  { sign: /Safari\//, name: 'Safari' },
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
