/**
 * What a browser may do with an answer that is data and never a page: nothing. Those of helmet's headers that say something of data,
 * with a policy that allows nothing and so needs no nonce: making one takes longer than many an answer.
 */
export const dataHeaders = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;
