import { expect, test } from 'vitest';
import { deviceName } from './user-agent.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const windows = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36`;
const android = `Mozilla/5.0 (Linux; Android 10; K) ${webkit}`;
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  ['Chrome on Windows', windows],
  ['Edge on Windows', `${windows} Edg/142.0.0.0`],
  ['Opera on Windows', `${windows} OPR/124.0.0.0`],
  ['Firefox on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0'],
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'],
  ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/142.0.0.0 Safari/537.36`],
  ['Chrome on Linux', `Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/142.0.0.0 Safari/537.36`],
  [
    'Safari on macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  ],
  ['Safari on iPhone', `${iphone} Version/26.0 Mobile/15E148 Safari/604.1`],
  ['Chrome on iPhone', `${iphone} CriOS/142.0.7444.46 Mobile/15E148 Safari/604.1`],
  ['Firefox on iPhone', `${iphone} FxiOS/144.0 Mobile/15E148 Safari/605.1.15`],
  ['Safari on iPad', `${iphone.replaceAll('iPhone', 'iPad')} Version/26.0 Mobile/15E148 Safari/604.1`],
  ['Chrome on Android', `${android} Chrome/142.0.0.0 Mobile Safari/537.36`],
  ['Samsung Internet on Android', `${android} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`],
  ['Firefox on Android', 'Mozilla/5.0 (Android 16; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0'],
  ['A browser on Windows', 'Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1)'],
  ['curl', 'curl/8.14.1'],
  ['python-requests', 'python-requests/2.32.3'],
])('%s', (name, userAgent) => {
  expect(deviceName(userAgent)).toBe(name);
});

test.each([null, '', 'Mozilla/5.0', '<b>Chrome</b>', 'x'.repeat(500), `${'a'.repeat(40)}/1`])(
  '%j is an unknown device',
  (userAgent) => {
    expect(deviceName(userAgent)).toBe('Unknown device');
  },
);
