import type { OpenApiDocument } from '#shared/checks/openapi.ts';
import type { ApiResponse, JsonSchema } from '#shared/checks/openapi-components.ts';
import type { Operation } from '#shared/checks/openapi-operation.ts';
import { pageState } from '../../platform/page-state.ts';

/**
 * The document as JSON, inserted by the build (vite.config.ts), because the code that generates the document is larger
 * than the document.
 */
declare const __API_DOCUMENT__: string;

const json: string = __API_DOCUMENT__;

/** The document that the page shows. The server fills in its own origin after rendering (render.tsx). */
export const apiDocument: OpenApiDocument = JSON.parse(
  import.meta.env.SSR ? json : json.replaceAll('__ORIGIN__', pageState().origin || window.location.origin),
);

/** Scheme, host and port of this server. */
export const apiOrigin = apiDocument.servers[0]?.url ?? '';

export interface Chapter {
  /** The anchor of its section. */
  id: string;
  title: string;
  /** Markdown. */
  text: string;
}

/** The guide of the document: the text before its first heading, and its chapters. */
const [introduction = '', ...texts] = apiDocument.info.description.split('\n\n## ');
export const guide = {
  introduction,
  chapters: texts.map((chapter): Chapter => {
    const [title = '', ...blocks] = chapter.split('\n\n');
    return { id: title.toLowerCase().replaceAll(' ', '-'), title, text: blocks.join('\n\n') };
  }),
};

export interface ApiCall {
  method: string;
  path: string;
  operation: Operation;
}

/** Every call, in the order of the document. */
export const apiCalls: readonly ApiCall[] = Object.entries(apiDocument.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

/** Every response of a call by its status, including those that calls share. */
export function listResponses({ responses }: Operation): [status: string, response: ApiResponse][] {
  return Object.entries(responses).flatMap(([status, response]) => {
    const resolved = '$ref' in response ? apiDocument.components.responses[nameInRef(response.$ref)] : response;
    return resolved ? [[status, resolved] as [string, ApiResponse]] : [];
  });
}

/** The format, the schema and the examples of a body. Undefined without one. */
export function findBody({ content }: ApiResponse) {
  const [found] = Object.entries(content ?? {});
  return found && { mediaType: found[0], ...found[1] };
}

export function listExamples(response: ApiResponse) {
  return Object.values(findBody(response)?.examples ?? {});
}

/** Returns the schema that a reference points to, with its name. Other schemas are returned as they are. */
export function resolveSchema(schema: JsonSchema): { name?: string; schema: JsonSchema } {
  if (schema.$ref === undefined) return { schema };
  const name = nameInRef(schema.$ref);
  return { name, schema: apiDocument.components.schemas[name] ?? {} };
}

/** Whether the page shows the schema as a table of fields. */
export const isObject = ({ properties }: JsonSchema) => properties !== undefined;

/**
 * Names of the objects that the fields of calls refer to: those of responses and inside of bodies, in the order of the
 * calls, then the error.
 */
export function listObjects(): string[] {
  const sent = apiCalls.flatMap(({ operation }) => namesIn(operation.requestBody)).flatMap(schemasIn);
  const received = apiCalls.flatMap(({ operation }) => namesIn(operation.responses));
  const names = [...received, ...sent, 'Error']
    .flatMap((name) => [name, ...schemasIn(name)])
    .filter((name) => isObject(apiDocument.components.schemas[name] ?? {}));
  return [...new Set(names)];
}

const namesIn = (part: object = {}): string[] =>
  [...JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = '']) => name);

/** Names of the schemas that the fields of a schema refer to. */
function schemasIn(name: string): string[] {
  return namesIn(apiDocument.components.schemas[name]?.properties).flatMap((inner) => [inner, ...schemasIn(inner)]);
}

const nameInRef = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);
