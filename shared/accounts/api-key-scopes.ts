/** What an API key or an access token allows. No scope includes another. */
export const apiKeyScopes = ['check', 'read', 'write'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];
