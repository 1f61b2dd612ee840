import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config.ts';

/**
 * The process's log, without what signs somebody in: headers are left out where a library writes a whole request down, and an
 * error comes without what libraries hang on it: the database's carries its whole client, connection settings and all.
 * @param destination standard output unless told otherwise
 */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>, destination?: DestinationStream): Logger {
  const options = { level: logLevel, serializers: { err: plainError }, redact: secretPlaces };
  return destination ? pino(options, destination) : pino(options);
}

const secretPlaces = ['req.headers', 'request.headers', 'headers', 'busboyOptions.headers'];

function plainError(error: Error & { code?: unknown }) {
  return { type: error.name, code: error.code, message: error.message, stack: error.stack };
}
