import { Secret, TOTP } from 'otpauth';
import type { CallOptions, TestApp, TestUser } from '../../../test-app.fixtures.ts';

/** The one-time code of a secret, `steps` periods of 30 seconds from now. */
export const generateCode = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Returns functions that call the endpoints of the second factor. */
export function buildFactorCalls({ call, context: { db } }: Pick<TestApp, 'call' | 'context'>) {
  const post = (as: string, path: string, body?: object) =>
    call('POST', `/api/account/second-factor${path}`, { as, ...(body && { body }) });
  return {
    /**
     * Turns on the second factor, and forgets that its first code was used, so that tests need not wait for the next.
     */
    async turnOn({
      id,
      cookie,
    }: Pick<TestUser, 'id' | 'cookie'>): Promise<{ secret: string; recoveryCodes: string[] }> {
      const { secret } = (await post(cookie, '')).json();
      const response = await post(cookie, '/confirm', { code: generateCode(secret) });
      if (response.statusCode !== 200) throw new Error(response.body);
      await db.updateTable('second_factors').set({ last_step: 0 }).where('user_id', '=', id).execute();
      return { secret, recoveryCodes: response.json().recoveryCodes };
    },
    logIn: ({ username, password }: Pick<TestUser, 'username' | 'password'>, options: CallOptions = {}) =>
      call('POST', '/api/auth/login', { ...options, body: { username, password } }),
    enterCode: (challenge: string, code: string, options: CallOptions & { rememberDevice?: boolean } = {}) => {
      const { rememberDevice = false, ...rest } = options;
      return call('POST', '/api/auth/login/second-factor', { ...rest, body: { challenge, code, rememberDevice } });
    },
  };
}

/** The cookies of a response, as a Cookie header. */
export const getCookies = ({ headers }: { headers: Record<string, unknown> }): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => String(cookie).split(';')[0])
    .join('; ');
