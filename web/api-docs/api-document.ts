import type { OpenApiDocument, Operation } from '#shared/openapi.ts';
import type { ApiResponse, JsonSchema } from '#shared/openapi-components.ts';

/** The document as JSON. The builder puts it here (vite.config.ts): what makes it weighs more than the document. */
declare const __API_DOCUMENT__: string;

const json: string = __API_DOCUMENT__;

/** The document that the page is drawn from. In the prerendered page the server puts its address in; in a browser we do. */
export const apiDocument: OpenApiDocument = JSON.parse(
  import.meta.env.SSR ? json : json.replaceAll('__ORIGIN__', window.location.origin),
);

/** Scheme, host and port of this server. */
export const apiOrigin = apiDocument.servers[0]?.url ?? '';

/** The guide: its first paragraph, and its chapters. */
const [lead = '', ...texts] = apiDocument.info.description.split('\n\n## ');
export const guide = {
  lead,
  chapters: texts.map((chapter) => {
    const [title = '', ...blocks] = chapter.split('\n\n');
    return { id: title.toLowerCase().replaceAll(' ', '-'), title, text: blocks.join('\n\n') };
  }),
};

/** A call of the API as its part of the page shows it. */
export interface ApiCall {
  method: string;
  path: string;
  operation: Operation;
  /** Names of the schemas that no call above shows. */
  schemas: string[];
}

/** Every call, in the order of the document. */
export function apiCalls(): ApiCall[] {
  const shown = new Set([errorSchema]);
  return Object.entries(apiDocument.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const schemas = schemasIn([operation.requestBody, operation.responses]).filter((name) => !shown.has(name));
      for (const name of schemas) shown.add(name);
      return { method: method.toUpperCase(), path, operation, schemas };
    }),
  );
}

/** The name of the schema of every error body. */
export const errorSchema = 'Error';

/** Every response of a call by its status, including those that calls share. */
export function responsesOf({ responses }: Operation): [status: string, response: ApiResponse][] {
  return Object.entries(responses).flatMap(([status, response]) => {
    const found = '$ref' in response ? apiDocument.components.responses[nameIn(response.$ref)] : response;
    return found ? [[status, found] as [string, ApiResponse]] : [];
  });
}

export function examplesOf({ content }: ApiResponse) {
  return Object.values(content?.['application/json'].examples ?? {});
}

/** The schema that a reference means, with its name. */
export function named(schema: JsonSchema): { name?: string; schema: JsonSchema } {
  if (schema.$ref === undefined) return { schema };
  const name = nameIn(schema.$ref);
  return { name, schema: apiDocument.components.schemas[name] ?? {} };
}

/** Whether the page shows the schema as a table of fields. */
export const isObject = ({ properties }: JsonSchema) => properties !== undefined;

/** Names of all objects that a part of the document refers to, directly or through others. */
function schemasIn(part: unknown): string[] {
  const found = new Set<string>();
  for (const [, name = ''] of JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)) {
    const schema = apiDocument.components.schemas[name];
    if (!schema || !isObject(schema)) continue;
    found.add(name);
    for (const inner of schemasIn(schema.properties)) found.add(inner);
  }
  return [...found];
}

const nameIn = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);
