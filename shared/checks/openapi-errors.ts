import { apiKeyLimits } from '../accounts/api-keys.ts';
import type { ErrorCode } from '../platform/errors.ts';
import { maxBulkDomains, maxKeyCallsPerMinute } from './key-checks.ts';
import {
  formatNumber,
  type HeaderName,
  headerRefs,
  limitHeaders,
  problemContent,
  rateLimitHeaders,
} from './openapi-components.ts';
import * as examples from './openapi-examples.ts';

const reset = 'The limit resets at 00:00 UTC on 2026-11-22.';

/** The causes of status 429. The guide says what to do about each. */
export const rateLimitErrors = {
  day: {
    summary: 'No requests left today',
    error: `This key has used all of its ${formatNumber(apiKeyLimits.requestsPerDay)} requests today. ${reset}`,
  },
  left: {
    summary: 'A bulk check with more entries than requests left today',
    error: `This call needs 3 requests, but this key has 2 left today. Send fewer domains. ${reset}`,
  },
  minute: {
    summary: `More than ${formatNumber(maxKeyCallsPerMinute.withKey)} calls per minute with one key`,
    error: 'Too many calls with this API key. Wait a minute, then try again.',
  },
  failures: {
    summary: `More than ${maxKeyCallsPerMinute.withoutKey} calls per minute without a valid key`,
    error: 'Too many calls without a valid API key. Wait a minute, then try again.',
  },
};

const tooMany = `Send at most ${maxBulkDomains} domains per call.`;
const { day, left, minute, failures } = rateLimitErrors;

/** Every error response of the public API, by its name in the document. */
export const errorResponses = {
  InvalidDomain: errorResponse(400, 'invalid', {
    meaning: 'The `domain` parameter is missing or is not a domain.',
    action: 'Correct it. `fields` says what is wrong.',
    errors: {
      address: {
        summary: 'An IP address',
        error: examples.checkError.error,
        fields: { domain: examples.checkError.error },
      },
      missing: { summary: 'No domain', error: 'Please fill in domain.', fields: { domain: 'Please fill in domain.' } },
    },
  }),
  InvalidList: errorResponse(400, 'invalid', {
    meaning: `The body is not JSON, or \`domains\` is not a list of 1 to ${maxBulkDomains} strings.`,
    action: 'Correct the body. `fields` says what is wrong.',
    errors: {
      broken: { summary: 'A body that is not JSON', error: 'The request could not be read.' },
      tooMany: { summary: `More than ${maxBulkDomains} domains`, error: tooMany, fields: { domains: tooMany } },
    },
  }),
  InvalidDomains: errorResponse(400, 'invalid', {
    meaning: `The \`domains\` parameter is missing or has more than ${maxBulkDomains} entries.`,
    action: 'Correct it. `fields` says what is wrong.',
    errors: {
      missing: {
        summary: 'No domains',
        error: 'Please fill in domains.',
        fields: { domains: 'Please fill in domains.' },
      },
      tooMany: { summary: `More than ${maxBulkDomains} domains`, error: tooMany, fields: { domains: tooMany } },
    },
  }),
  InvalidRequest: errorResponse(400, 'invalid', {
    meaning: 'A parameter or the body is not valid.',
    action: 'Correct it. `fields` says what is wrong.',
    errors: {
      website: {
        summary: 'A website without a domain',
        error: 'Please fill in domain.',
        fields: { domain: 'Please fill in domain.' },
      },
    },
  }),
  MissingScope: errorResponse(403, 'missing_scope', {
    meaning: 'The key does not have the scope of the call, which `scope` names.',
    action: 'Create another key with this scope.',
    errors: {
      scope: {
        summary: 'A key that can only check',
        error: 'This call needs the scope "write", which this key does not have.',
      },
    },
  }),
  NotFound: errorResponse(404, 'not_found', {
    meaning: 'There is no such object in your account, or the path or the method is wrong.',
    action: 'Compare the id with a list, and the path with this documentation.',
    errors: { website: { summary: 'An unknown website', error: 'There is no website 999999.' } },
  }),
  Conflict: errorResponse(409, 'conflict', {
    meaning:
      'What you want to create exists already, or has another state. With the code `idempotency_in_progress`, the request with the same `Idempotency-Key` is still running.',
    action:
      'Read it again. For a website, `existingId` says which. For a running request, wait for the seconds in `Retry-After`, then repeat the call.',
    errors: {
      twice: {
        summary: 'A site that you have submitted before',
        error: 'You have already submitted sells-links.example. It is waiting for review.',
      },
    },
  }),
  IdempotencyMismatch: errorResponse(422, 'idempotency_mismatch', {
    meaning: 'The same `Idempotency-Key` was sent with another request.',
    action: 'Send a new key.',
    errors: {
      other: {
        summary: 'Another body',
        error: 'This Idempotency-Key was used for another request. Send a new one.',
      },
    },
  }),
  Unauthorized: errorResponse(401, 'unauthorized', {
    meaning: 'The `X-API-Key` header is missing, or the key is unknown, deleted or expired.',
    action: 'Copy the key again from your account, rotate it, or create another one.',
    errors: {
      unknown: {
        summary: 'An unknown or deleted key',
        error: 'This API key is not valid. Copy it again from the API Keys tab of your account, or create another one.',
      },
      expired: {
        summary: 'An expired key',
        error:
          'This API key expired on 2026-01-31 at 23:59 UTC. Rotate it in the API Keys tab of your account, or create another one.',
      },
      replaced: {
        summary: 'The old value of a rotated key',
        error:
          'This API key was replaced, and its old value stopped working on 2026-01-31 at 23:59 UTC. Copy the new value from the API Keys tab of your account.',
      },
      missing: {
        summary: 'No key',
        error: 'Send an API key in the X-API-Key header. You can create one in the API Keys tab of your account.',
      },
    },
    headerNames: limitHeaders,
  }),
  TooLarge: errorResponse(413, 'too_large', {
    meaning: 'The body is larger than 2 MiB (2,097,152 bytes), or the files of an upload are larger than 200 MB.',
    action: 'Send fewer domains, hosts instead of long URLs, or smaller files.',
    errors: { body: { summary: 'A body of 3 MB', error: 'The request is too large.' } },
  }),
  UnsupportedMediaType: errorResponse(415, 'unsupported_file', {
    meaning: '`Content-Type` is not `application/json`, or `multipart/form-data` for an upload.',
    action: 'Send JSON or a form with that header.',
    errors: { form: { summary: 'A form', error: 'This content type is not accepted here.' } },
  }),
  TooManyRequests: rateLimitResponse({ day, minute, failures }),
  TooManyBulkRequests: rateLimitResponse({ day, left, minute, failures }),
  TooManyCalls: rateLimitResponse({ minute, failures }),
  StorageLimit: errorResponse(507, 'storage_limit', {
    meaning: 'Your account uses all of its storage, or with the code `disk_full`, the server does.',
    action: 'Delete what you no longer need, or tell the administrator.',
    errors: {
      account: {
        summary: 'No storage left in the account',
        error:
          'Your account uses all of its 5.0 GB of storage. Delete reports, websites or lists that you no longer need.',
      },
    },
  }),
  InternalError: errorResponse(500, 'internal', {
    meaning: 'Something went wrong on our side.',
    action: 'Retry once. If it fails again, send us the `requestId`.',
    errors: {
      unexpected: { summary: 'Something unexpected', error: 'Something went wrong on our side. Please try again.' },
    },
    headerNames: [],
  }),
  Unavailable: errorResponse(503, 'unavailable', {
    meaning: 'The server or its database is unavailable or busy.',
    action: 'Retry with increasing delays, up to a minute.',
    errors: {
      database: {
        summary: 'The database is unavailable',
        error: 'The database is not available right now. Please try again.',
      },
    },
    headerNames: [],
  }),
};

type ErrorExamples = Record<string, { summary: string; error: string; fields?: Record<string, string> }>;

function rateLimitResponse(errors: ErrorExamples) {
  return errorResponse(429, 'too_many_requests', {
    meaning: 'A rate limit is exceeded. `error` says which one.',
    action: 'Wait for the seconds in `Retry-After`, then repeat the call.',
    errors,
    headerNames: [...rateLimitHeaders, 'Retry-After'],
  });
}

/** The document contains `response`. The guide shows the rest as a table of errors. */
function errorResponse(
  status: number,
  code: ErrorCode,
  {
    meaning,
    action,
    errors,
    headerNames = rateLimitHeaders,
  }: { meaning: string; action: string; errors: ErrorExamples; headerNames?: readonly HeaderName[] },
) {
  const bodies = Object.entries(errors).map(([name, { summary, error, fields }]) => [
    name,
    { summary, value: examples.errorBody(status, code, error, fields) },
  ]);
  const content = problemContent(Object.fromEntries(bodies));
  const response = { description: `${meaning} ${action}`, headers: headerRefs(headerNames), content };
  return { status, code, meaning, action, response };
}
