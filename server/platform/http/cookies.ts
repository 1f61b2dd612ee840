import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';

/**
 * The name and the options of a cookie that only the server reads. It is Secure and has the `__Host-` prefix except
 * over plain HTTP, where browsers refuse both.
 */
export function describeCookie(
  request: FastifyRequest,
  name: string,
): { name: string; secure: boolean; options: CookieSerializeOptions } {
  const secure = request.protocol === 'https' || ['localhost', '127.0.0.1', '[::1]'].includes(request.hostname);
  return {
    name: secure ? `__Host-${name}` : name,
    secure,
    options: { path: '/', httpOnly: true, secure, sameSite: 'lax' },
  };
}
