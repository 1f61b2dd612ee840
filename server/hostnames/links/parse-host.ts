import { maxQueryLength } from '#shared/checks/checks.ts';
import { invalidField } from '../../platform/http/errors.ts';
import { listableName } from '../hosts/hosts.ts';
import { readLinkHost } from './links.ts';

/** Returns the normalized host of a domain or URL. @throws 400 if the text is neither */
export function parseHost(text: string): string {
  const host = readLinkHost(text);
  if (typeof host === 'string') return host;
  throw invalidField('domain', describeInvalidDomain(text));
}

/** Returns why a text is not a domain, as a sentence. */
export function describeInvalidDomain(text: string): string {
  if (text.length > maxQueryLength) return `This is longer than ${maxQueryLength} characters.`;
  const listable = listableName(text);
  return 'reason' in listable ? listable.reason : 'This is not a domain name.';
}
