/** Made by the builder (vite.config.ts): what makes the document weighs more than the document. */
declare module 'virtual:api-document' {
  export const builtDocument: import('#shared/openapi-document.ts').OpenApiDocument;
}
