/** The parts of an OpenAPI 3.1 document that ours has (https://spec.openapis.org/oas/v3.1.1.html). */
export interface OpenApiDocument {
  openapi: string;
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    termsOfService: string;
    contact: { name: string; url: string };
    license: { name: string; url: string };
  };
  servers: { url: string; description: string }[];
  externalDocs: { url: string; description: string };
  tags: { name: string; description: string }[];
  security: Record<string, string[]>[];
  paths: Record<string, Partial<Record<Method, Operation>>>;
  components: {
    schemas: Record<string, JsonSchema>;
    headers: Record<string, Header>;
    responses: Record<string, Answer>;
    securitySchemes: Record<string, object>;
  };
}

export type Method = 'get' | 'post';

export interface Ref {
  $ref: string;
}

/** What of JSON Schema 2020-12 the contracts need. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  title?: string;
  description?: string;
  enum?: string[];
  examples?: unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema;
  required?: string[];
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
}

export interface Header {
  description: string;
  schema: JsonSchema;
  example: unknown;
}

export interface Example {
  summary: string;
  value: unknown;
}

export interface Content {
  schema: JsonSchema;
  examples: Record<string, Example>;
}

export interface Answer {
  description: string;
  headers: Record<string, Ref>;
  /** Without it the answer has no body. */
  content?: { 'application/json': Content };
}

export interface Parameter {
  name: string;
  in: 'query' | 'header';
  required: boolean;
  description: string;
  schema: JsonSchema;
  example: unknown;
}

export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean; description: string; content: { 'application/json': Content } };
  responses: Record<string, Answer | Ref>;
  /**
   * Programs that make the call, as documentation tools show them
   * (https://redocly.com/docs-legacy/api-reference-docs/specification-extensions/x-code-samples).
   */
  'x-codeSamples': CodeSample[];
}
