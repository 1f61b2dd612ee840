import { type Proof, proofFileUrl, proofRecordName, type Verification } from '#shared/blacklist/appeals.ts';
import type { Context } from '../../context.ts';
import { registrableDomain } from '../../hostnames/coverage/coverage.ts';
import { type Outbound, OutboundError, readBody } from '../../platform/net/outbound.ts';

/** Where a proof is published, and what was found there. */
export type ProofResult = Pick<Verification, 'verified' | 'lookedAt' | 'found' | 'message'>;

const fileLimits = { maxBytes: 64_000, timeoutMs: 10_000 };
/** How much of what was found is shown. */
const maxFound = 5;
const maxFoundLength = 100;

/** The record or URL where the proof of an appeal is published. */
export const proofPlace = (proof: Proof, domain: string) =>
  proof === 'dns' ? proofRecordName(domain) : proofFileUrl(domain);

/**
 * Looks for the token of an appeal: in the TXT records of `_linksieve.{domain}`, or in a line of
 * `https://{domain}/.well-known/linksieve.txt`.
 * @param lookedAt replaced in tests, whose servers have no certificate
 */
export async function findProof(
  { outbound, log }: Pick<Context, 'outbound' | 'log'>,
  { domain, proof, token }: { domain: string; proof: Proof; token: string },
  lookedAt = proofPlace(proof, domain),
): Promise<ProofResult> {
  try {
    const texts = proof === 'dns' ? await outbound.resolveTxt(lookedAt) : await readFileLines(outbound, lookedAt);
    const found = texts.map(clean).filter((text) => text !== '');
    if (found.includes(token))
      return { verified: true, lookedAt, found: [token], message: foundMessage(proof, lookedAt) };
    const shown = found.slice(0, maxFound).map((text) => text.slice(0, maxFoundLength));
    return { verified: false, lookedAt, found: shown, message: missingMessage(proof, lookedAt, shown) };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    log.info({ err: error, domain, problem: error.problem }, 'the proof of an appeal could not be read');
    return { verified: false, lookedAt, found: [], message: failureMessage(proof, lookedAt, error) };
  }
}

/** The server has no such file. */
class MissingFileError extends OutboundError {}

async function readFileLines(outbound: Outbound, url: string): Promise<string[]> {
  const { host } = new URL(url);
  let isRedirected = false;
  const allowRedirect = (target: URL) => {
    isRedirected = true;
    return isSameSite(new URL(url), target);
  };
  try {
    const response = await outbound.get(url, { ...fileLimits, allowRedirect });
    if (response.status === 200) return (await readBody(response)).split(/\r\n|\r|\n/);
    response.body.destroy();
    if (response.status === 404) throw new MissingFileError('connection', `${url} returned the status 404`);
    throw new OutboundError('connection', `the server returned the status ${response.status}`);
  } catch (error) {
    if (!(error instanceof OutboundError) || !['private', 'dns'].includes(error.problem)) throw error;
    // The details would tell every user which names and addresses an internal name server knows.
    if (isRedirected) throw hideDetails(`${host} redirects to an address that Linksieve does not connect to`, error);
    if (error.problem === 'private')
      throw hideDetails(`${host} has an address that Linksieve does not connect to`, error);
    throw error;
  }
}

const hideDetails = (message: string, cause: OutboundError) => new OutboundError(cause.problem, message, { cause });

/**
 * Whether a redirect stays with the owner: a forwarder of parked domains would otherwise prove each domain that
 * forwards to it. It stays on https too.
 */
function isSameSite(from: URL, to: URL): boolean {
  if (to.protocol !== from.protocol) return false;
  const owner = registrableDomain(from.hostname);
  return to.hostname === from.hostname || (owner !== undefined && registrableDomain(to.hostname) === owner);
}

/** Removes the white space and quotation marks that editors of DNS records add, and control characters. */
const clean = (text: string) =>
  text
    .replace(/\p{C}+/gu, '')
    .trim()
    .replace(/^"(.*)"$/, '$1');

const describe = (proof: Proof, lookedAt: string) => (proof === 'dns' ? `the TXT record ${lookedAt}` : lookedAt);

const foundMessage = (proof: Proof, lookedAt: string) =>
  `We found the token in ${describe(proof, lookedAt)}. An admin will review your appeal.`;

function failureMessage(proof: Proof, lookedAt: string, error: OutboundError): string {
  if (error instanceof MissingFileError)
    return `There is no file at ${lookedAt} (status 404). Upload the file, then check again.`;
  return `We could not read ${describe(proof, lookedAt)}: ${error.message}. Fix this, then check again.`;
}

function missingMessage(proof: Proof, lookedAt: string, found: string[]): string {
  const place = describe(proof, lookedAt);
  if (found.length > 0)
    return `${place[0]?.toUpperCase()}${place.slice(1)} does not contain the token. It contains: ${found.join(', ')}`;
  if (proof === 'dns')
    return `There is no TXT record ${lookedAt} yet. A new record can take up to an hour to be visible.`;
  return `${lookedAt} is empty. Save the token in this file.`;
}
