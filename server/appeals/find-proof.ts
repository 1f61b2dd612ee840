import { type Proof, proofFileUrl, proofRecordName, type Verification } from '#shared/appeals.ts';
import { type Outbound, OutboundError, readBody } from '../net/outbound.ts';

/** Where a proof is published, and what was found there. */
export type ProofResult = Pick<Verification, 'verified' | 'lookedAt' | 'found' | 'message'>;

const fileLimits = { maxBytes: 64_000, timeoutMs: 10_000 };
/** How much of what was found is shown. */
const maxFound = 5;
const maxFoundLength = 100;

/**
 * Looks for the token of an appeal: in the TXT records of `_linksieve.{domain}`, or in a line of
 * `https://{domain}/.well-known/linksieve.txt`.
 * @param fileUrl replaced in tests, whose servers have no certificate
 */
export async function findProof(
  outbound: Outbound,
  { domain, proof, token }: { domain: string; proof: Proof; token: string },
  fileUrl = proofFileUrl(domain),
): Promise<ProofResult> {
  const lookedAt = proof === 'dns' ? proofRecordName(domain) : fileUrl;
  try {
    const texts = proof === 'dns' ? await outbound.resolveTxt(lookedAt) : await readFileLines(outbound, lookedAt);
    const found = texts.map(clean).filter((text) => text !== '');
    if (found.includes(token))
      return { verified: true, lookedAt, found: [token], message: foundMessage(proof, lookedAt) };
    const shown = found.slice(0, maxFound).map((text) => text.slice(0, maxFoundLength));
    return { verified: false, lookedAt, found: shown, message: missingMessage(proof, lookedAt, shown) };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const message = `We could not read ${describe(proof, lookedAt)}: ${error.message}.`;
    return { verified: false, lookedAt, found: [], message };
  }
}

async function readFileLines(outbound: Outbound, url: string): Promise<string[]> {
  const response = await outbound.get(url, fileLimits);
  if (response.status !== 200) {
    response.body.destroy();
    throw new OutboundError('connection', `${response.url} returned the status ${response.status}`);
  }
  return (await readBody(response)).split(/\r\n|\r|\n/);
}

/** Removes the white space and quotation marks that editors of DNS records add, and control characters. */
const clean = (text: string) =>
  text
    .replace(/\p{C}+/gu, '')
    .trim()
    .replace(/^"(.*)"$/, '$1');

const describe = (proof: Proof, lookedAt: string) => (proof === 'dns' ? `the TXT record ${lookedAt}` : lookedAt);

const foundMessage = (proof: Proof, lookedAt: string) =>
  `We found the token in ${describe(proof, lookedAt)}. Your appeal is now with the maintainers.`;

function missingMessage(proof: Proof, lookedAt: string, found: string[]): string {
  const place = describe(proof, lookedAt);
  if (found.length > 0)
    return `${place[0]?.toUpperCase()}${place.slice(1)} does not contain the token. It contains: ${found.join(', ')}`;
  if (proof === 'dns')
    return `There is no TXT record ${lookedAt} yet. A new record can take up to an hour to be visible.`;
  return `${lookedAt} is empty. Save the token in this file.`;
}
