import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { describeCookie } from '../../platform/http/cookies.ts';
import type { Exchange } from '../../platform/http/scope.ts';
import { isSignature, sign } from '../../platform/http/signature.ts';
import { incrementDeviceVersion } from './store.ts';

const dayMs = 86_400_000;
/** How long a browser remains known after its last sign-in. Browsers keep cookies for at most 400 days. */
const deviceMaxAgeMs = 365 * dayMs;

/** The account that device cookies are bound to. Its version changes when all its devices are forgotten. */
export interface DeviceOwner {
  id: number;
  deviceVersion: number;
}

/** A browser in which the user of an account has signed in before. */
export interface Device {
  id: string;
  /** The browser needs no second factor until then. The epoch if the user did not ask for this. */
  trustedUntil: Date;
}

type DeviceContext = Pick<Context, 'secretKey' | 'now'>;

/**
 * Finds the device of a request by its signed cookie. Undefined if the cookie is missing, forged, expired, or belongs
 * to another account or an earlier version.
 */
export function findDevice(
  { secretKey, now }: DeviceContext,
  request: FastifyRequest,
  owner: DeviceOwner,
): Device | undefined {
  const value = request.cookies[describeCookie(request, 'device').name] ?? '';
  const [, id = '', expires = '', trusted = '', signature = ''] =
    /^([\w-]{22})\.(\d{1,15})\.(\d{1,15})\.([\w-]{43})$/.exec(value) ?? [];
  if (!isSignature(secretKey, 'devices', signedText(owner, id, expires, trusted), signature)) return undefined;
  return Number(expires) > now().getTime() ? { id, trustedUntil: new Date(Number(trusted)) } : undefined;
}

/**
 * Marks the browser as a known device of the account: sets a cookie for a year. The browser's device of another account
 * is forgotten.
 * @param device the known device whose id and trust continue; without it, the device is new
 */
export function rememberDevice(
  { secretKey, now }: DeviceContext,
  { request, reply }: Exchange,
  owner: DeviceOwner,
  device: Partial<Device> = {},
): void {
  const id = device.id ?? randomBytes(16).toString('base64url');
  const expires = String(now().getTime() + deviceMaxAgeMs);
  const trusted = String(device.trustedUntil?.getTime() ?? 0);
  const signature = sign(secretKey, 'devices', signedText(owner, id, expires, trusted));
  const { name, options } = describeCookie(request, 'device');
  reply.setCookie(name, [id, expires, trusted, signature].join('.'), { ...options, maxAge: deviceMaxAgeMs / 1000 });
}

const signedText = ({ id, deviceVersion }: DeviceOwner, ...parts: string[]) =>
  ['device', id, deviceVersion, ...parts].join(':');

/** Forgets all devices of the account. Their cookies are no longer valid. */
export async function forgetDevices(trx: Db, userId: number): Promise<void> {
  await incrementDeviceVersion(trx, userId);
}

/** Forgets all devices of the account except the one of the request, which gets a new cookie. */
export async function forgetOtherDevices(
  context: DeviceContext & { db: Db },
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
): Promise<void> {
  const deviceVersion = await incrementDeviceVersion(context.db, userId);
  if (deviceVersion === undefined) return;
  const device = findDevice(context, request, { id: userId, deviceVersion: deviceVersion - 1 });
  rememberDevice(context, { request, reply }, { id: userId, deviceVersion }, device);
}
