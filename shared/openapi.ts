import type { Endpoint } from './endpoint.ts';
import { headerRefs, headers, problemAnswers, problems } from './openapi-answers.ts';
import type { Answer, JsonSchema, Method, OpenApiDocument, Operation, Parameter, Ref } from './openapi-document.ts';
import { operations, type Told } from './openapi-operations.ts';
import { type SampleCall, sampleLanguages } from './openapi-samples.ts';
import { componentSchemas, schemaOf } from './openapi-schemas.ts';

/**
 * The public API as an OpenAPI 3.1 document, made from the endpoints of the contract.
 * @param origin scheme, host and port that people type, without a slash at the end
 */
export function openApiDocument(origin: string): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Linksieve API',
      version: '1.0.0',
      summary: 'Ask the paid-link blacklist from your own programs.',
      description:
        'Checks whether domains are known or suspected to sell backlinks. Version 1 stays as it is: answers may get more fields, and none is taken away or changes its meaning.',
      termsOfService: `${origin}/terms-of-service`,
      contact: { name: 'The maintainers of Linksieve', url: `${origin}/contact` },
      license: { name: 'Terms of Service of Linksieve', url: `${origin}/terms-of-service` },
    },
    servers: [{ url: origin, description: 'This server' }],
    externalDocs: { url: `${origin}/api/docs`, description: 'The same to read, with a box to try it' },
    tags: [
      { name: 'Checks', description: 'Whether domains are on the blacklist.' },
      { name: 'Usage', description: 'What a key has used.' },
    ],
    security: [{ apiKey: [] }],
    paths: pathsOf(origin),
    components: {
      schemas: componentSchemas(),
      headers,
      responses: problemAnswers(),
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description:
            'A key of your account. Whoever has it asks in your name: keep it out of pages and repositories.',
        },
      },
    },
  };
}

function pathsOf(origin: string): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {};
  for (const told of operations) {
    const { method, path } = told.endpoint;
    paths[path] = { ...paths[path], [method.toLowerCase() as Method]: operationOf(told, origin) };
  }
  return paths;
}

function operationOf(told: Told, origin: string): Operation {
  const { endpoint, operationId, tag, description, body } = told;
  const parameters = parametersOf(told);
  const call = sampleCall(told, origin);
  return {
    operationId,
    tags: [tag],
    summary: endpoint.summary,
    description,
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body &&
      body && {
        requestBody: {
          required: true,
          description: body.description,
          content: {
            'application/json': { schema: schemaOf(endpoint.body), examples: { question: body.example } },
          },
        },
      }),
    responses: answersOf(told),
    'x-codeSamples': sampleLanguages.map(({ lang, label, write }) => ({ lang, label, source: write(call) })),
  };
}

function parametersOf({ endpoint: { query }, query: told = {}, conditional }: Told): Parameter[] {
  const { properties = {}, required = [] }: JsonSchema = query ? schemaOf(query) : {};
  const asked = Object.entries(properties).map(([name, schema]): Parameter => {
    const words = told[name];
    if (!words) throw new Error(`Nothing is said of the parameter ${name}.`);
    return { name, in: 'query', required: required.includes(name), schema, ...words };
  });
  return conditional ? [...asked, ifNoneMatch] : asked;
}

const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the answer that you have: where it is still right, 304 comes without a body.',
  schema: { type: 'string' },
  example: headers.ETag.example,
};

function answersOf({ endpoint, answer, conditional, problems: names }: Told): Operation['responses'] {
  const [status, schema] = usualAnswer(endpoint);
  const answers: Record<string, Answer | Ref> = {
    [status]: {
      description: answer.description,
      headers: headerRefs(...answer.headers),
      content: { 'application/json': { schema: schemaOf(schema), examples: answer.examples } },
    },
  };
  if (conditional) {
    answers[304] = {
      description: 'What you have is still right. Costs one request, as every check.',
      headers: headerRefs(...answer.headers),
    };
  }
  for (const name of names) answers[problems[name].status] = { $ref: `#/components/responses/${name}` };
  return answers;
}

function usualAnswer({ path, responses = {} }: Endpoint) {
  const [usual] = Object.entries(responses);
  if (!usual) throw new Error(`${path} has no answer that could be described.`);
  return usual;
}

function sampleCall({ endpoint: { method, path }, query, body }: Told, origin: string): SampleCall {
  if (method !== 'GET' && method !== 'POST') throw new Error(`There is no example of a ${method}.`);
  const values = Object.entries(query ?? {}).map(([name, { example }]) => [name, example]);
  return {
    method,
    url: `${origin}${path}`,
    ...(values.length > 0 && { query: Object.fromEntries(values) }),
    ...(body && { body: body.example.value }),
  };
}
