import type { Endpoint } from '../platform/endpoint.ts';
import { type ApiResponse, type Content, type JsonSchema, listExampleValues, type Ref } from './openapi-components.ts';
import { errorResponses } from './openapi-errors.ts';
import * as examples from './openapi-examples.ts';

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean; description: string; content: Content };
  security?: { apiKey: string[] }[];
  responses: Record<string, ApiResponse | Ref>;
  /**
   * Programs that make the call, as documentation tools show them
   * (https://redocly.com/docs-legacy/api-reference-docs/specification-extensions/x-code-samples).
   */
  'x-codeSamples': { lang: string; label: string; source: string }[];
}

/** The calls by path and method. */
export type PathItems = Record<string, Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', Operation>>>;

export interface Parameter {
  name: string;
  in: 'query' | 'header' | 'path';
  required: boolean;
  description: string;
  schema: JsonSchema;
  /** How a list is written: `form` without `explode` separates its entries with commas. */
  style?: 'form';
  explode?: boolean;
  example: string | number | string[];
}

/**
 * Adds the summary and the scope of the endpoint, and programs that make the call with the examples of its parameters
 * and body.
 * @param languages those of the programs; by default all
 */
export function operation(
  origin: string,
  { method, path, summary, scope }: Endpoint,
  described: Omit<Operation, 'summary' | 'x-codeSamples'>,
  languages: readonly (typeof examples.sampleLanguages)[number][] = examples.sampleLanguages,
): Operation {
  const { parameters = [], requestBody, responses } = described;
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const form = requestBody?.content['multipart/form-data'];
  const [body] = listExampleValues(requestBody?.content);
  const success = responses[200];
  const call = {
    method,
    url: inPath.reduce((url, { name, example }) => url.replace(`:${name}`, String(example)), `${origin}${path}`),
    ...(query.length > 0 && { query: Object.fromEntries(query.map(({ name, example }) => [name, String(example)])) }),
    body: form ? undefined : body,
    ...(form && { form: body as Record<string, string> }),
    isText: success && 'content' in success && success.content && 'text/csv' in success.content,
  };
  return {
    ...described,
    description: `${described.description} Needs the scope \`${scope}\`.`,
    summary,
    ...(scope && { security: [{ apiKey: [scope] }] }),
    'x-codeSamples': languages.map(({ lang, label, write }) => ({ lang, label, source: write(call) })),
  };
}

export function errorRefs(...names: (keyof typeof errorResponses)[]): Record<string, Ref> {
  return Object.fromEntries(
    names.map((name) => [errorResponses[name].status, { $ref: `#/components/responses/${name}` }]),
  );
}
