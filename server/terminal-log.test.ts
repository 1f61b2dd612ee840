import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { createLog } from './start.ts';
import { createTerminalLog } from './terminal-log.ts';

/** Returns what a log writes to a terminal, without colors and the time. */
function print(use: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  const terminal = createTerminalLog((part) => {
    text += part;
  });
  use(createLog({ logLevel: 'info' }, terminal));
  expect(text).not.toContain('{"level"');
  return stripVTControlCharacters(text).replaceAll(/^\d\d:\d\d:\d\d /gm, '');
}

test('a line has its level, message and facts', () => {
  expect(print((log) => log.warn('Linksieve runs as root.'))).toBe('WARN Linksieve runs as root.\n');
  const request = { method: 'GET', route: '/api/reports/:id', status: 200, ms: 1.5, user: undefined };
  expect(print((log) => log.info({ ...request, reqId: 'a' }, 'request'))).toBe(
    'INFO request method=GET route=/api/reports/:id status=200 ms=1.5\n',
  );
});

test('an error has its stack', () => {
  const text = print((log) => log.error({ err: new Error('no space left') }, 'a run failed'));
  expect(text).toMatch(/^ERROR a run failed\nError: no space left\n +at .*terminal-log\.test\.ts/);
});

test('a text from outside cannot control the terminal', () => {
  let text = '';
  const log = createLog(
    { logLevel: 'info' },
    createTerminalLog((part) => {
      text += part;
    }),
  );
  log.info({ file: '\u001b[2Ja\nb' }, 'read \u0007');
  expect(text).toContain('read \\x07');
  expect(text).toContain('file=\\x1b[2Ja\\x0ab');
});
