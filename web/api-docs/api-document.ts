import type { OpenApiDocument, Operation } from '#shared/openapi.ts';
import type { Answer, JsonSchema } from '#shared/openapi-components.ts';

/** The document as JSON. The builder puts it here (vite.config.ts): what makes it weighs more than the document. */
declare const __API_DOCUMENT__: string;

const json: string = __API_DOCUMENT__;

/** The document that the page is drawn from. In the prerendered page the server puts its address in; in a browser we do. */
export const apiDocument: OpenApiDocument = JSON.parse(
  import.meta.env.SSR ? json : json.replaceAll('__ORIGIN__', window.location.origin),
);

/** Scheme, host and port of this server. */
export const apiOrigin = apiDocument.servers[0]?.url ?? '';

/** What the document says before the first of its chapters, and these. */
const [lead = '', ...texts] = apiDocument.info.description.split('\n\n## ');

export { lead };

export const chapters = texts.map((chapter) => {
  const [title = '', ...blocks] = chapter.split('\n\n');
  return { id: title.toLowerCase().replaceAll(' ', '-'), title, text: blocks.join('\n\n') };
});

/** A call of the API with what its part of the page shows. */
export interface ApiCall {
  method: string;
  path: string;
  operation: Operation;
  /** Names of the shapes that no part above has shown. */
  shapes: string[];
}

/** Every call, in the order of the document. */
export function apiCalls(): ApiCall[] {
  const shown = new Set([errorShape]);
  return Object.entries(apiDocument.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const shapes = shapesIn([operation.requestBody, operation.responses]).filter((name) => !shown.has(name));
      for (const name of shapes) shown.add(name);
      return { method: method.toUpperCase(), path, operation, shapes };
    }),
  );
}

/** The name of the body of every error. */
export const errorShape = 'Error';

/** Every answer of a call by its status, those that calls share too. */
export function answersOf({ responses }: Operation): [status: string, answer: Answer][] {
  return Object.entries(responses).flatMap(([status, answer]) => {
    const found = '$ref' in answer ? apiDocument.components.responses[nameIn(answer.$ref)] : answer;
    return found ? [[status, found] as [string, Answer]] : [];
  });
}

export function examplesOf({ content }: Answer) {
  return Object.values(content?.['application/json'].examples ?? {});
}

/** The schema that is meant, with the name it has, if any. */
export function named(schema: JsonSchema): { name?: string; schema: JsonSchema } {
  if (schema.$ref === undefined) return { schema };
  const name = nameIn(schema.$ref);
  return { name, schema: apiDocument.components.schemas[name] ?? {} };
}

/** Whether a shape is an object, whose fields make a table. */
export const isObject = ({ properties }: JsonSchema) => properties !== undefined;

/** Names of all objects that a part of the document refers to, and those that they refer to. */
function shapesIn(part: unknown): string[] {
  const found = new Set<string>();
  for (const [, name = ''] of JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)) {
    const schema = apiDocument.components.schemas[name];
    if (!schema || !isObject(schema)) continue;
    found.add(name);
    for (const inner of shapesIn(schema.properties)) found.add(inner);
  }
  return [...found];
}

const nameIn = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);
