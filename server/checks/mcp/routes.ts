import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { endpoint } from '#shared/platform/endpoint.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { createKeyCharger } from '../../accounts/api-keys/api-keys.ts';
import type { Context } from '../../context.ts';
import { getRequestOrigin } from '../../platform/http/address.ts';
import { HttpError, invalid } from '../../platform/http/errors.ts';
import { type KeyScope, route, type Scope } from '../../platform/http/scope.ts';
import { checkDomains, explainListing } from './blacklist-tools.ts';
import { decide, submitSite } from './change-tools.ts';
import { listHarmfulDomains, reportSummary } from './report-tools.ts';
import type { ToolCall } from './tool.ts';
import { untrustedNote } from './untrusted.ts';
import { buildDisavow, listWebsites } from './website-tools.ts';

const path = '/mcp';

const access = 'key';
const sendMessage = endpoint({
  method: 'POST',
  path,
  access,
  summary: 'Send a message of the Model Context Protocol',
  changes: false,
  longBody: true,
});
/** The two calls of clients that expect a session. */
const sessionCalls = [
  endpoint({ method: 'GET', path, access, summary: 'Not supported: open the stream of a session' }),
  endpoint({ method: 'DELETE', path, access, summary: 'Not supported: end a session' }),
];

const tools = [
  checkDomains,
  explainListing,
  listWebsites,
  reportSummary,
  listHarmfulDomains,
  buildDisavow,
  decide,
  submitSite,
];

const instructions = `Linksieve is a blacklist of domains that sell backlinks. check_domains and explain_listing read the blacklist. list_websites, report_summary, list_harmful_domains and build_disavow read the websites and reports of the user: start with list_websites to get their ids. decide changes decisions of the user, and submit_site suggests a site for the blacklist: both only with the consent of the user. All other tools only read. A listing is not proof that a particular link was paid for, and a domain that is not listed may still sell links. ${untrustedNote}`;

/** The scope of the server of the Model Context Protocol. */
export const createMcpScope = (context: Context): KeyScope => ({
  prefix: path,
  acceptsBearer: true,
  allowedHeaders: ['Authorization', 'Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
  register: (scope) => registerMcp(scope, context),
});

/** It keeps nothing between two requests. */
function registerMcp(scope: Scope<'key'>, context: Context): void {
  const charge = createKeyCharger(context);

  route(scope, sendMessage, async ({ request, reply, key, signal }) => {
    const { body } = request;
    if (Array.isArray(body)) throw invalid('Send one message per request.');
    const origin = getRequestOrigin(request, context.config.publicOrigin);
    const call = { context, key, charge, origin, log: request.log };
    const response = await respond(toWebRequest(request, origin, signal), body, call);
    return reply
      .code(response.status)
      .headers(Object.fromEntries(response.headers))
      .send(await response.text());
  });

  for (const sessionCall of sessionCalls) {
    route(scope, sessionCall, async () => {
      throw new HttpError(405, 'invalid', 'This server has no sessions. Send messages with POST.', {
        headers: { allow: 'POST' },
      });
    });
  }
}

async function respond(request: Request, body: unknown, call: ToolCall): Promise<Response> {
  if (!(await isLegacyRequest(request, body))) {
    const onerror = (error: Error) => call.log.debug({ err: error }, 'MCP request refused');
    const handler = createMcpHandler(() => createServer(call), { legacy: 'reject', maxSubscriptions: 0, onerror });
    return handler.fetch(request, { parsedBody: body });
  }
  // The handler above would send versions before 2026-07-28 an event stream.
  const server = createServer(call);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    await server.close();
  }
}

function createServer(call: ToolCall): McpServer {
  const info = { name: 'linksieve', title: 'Linksieve', version: packageJson.version };
  const server = new McpServer(info, { instructions, capabilities: { tools: { listChanged: false } } });
  for (const addTool of tools) addTool(server, call);
  return server;
}

/** Passes on the headers of the protocol. Responses are always JSON, so clients need not accept event streams. */
function toWebRequest({ headers }: FastifyRequest, origin: string, signal: AbortSignal): Request {
  const passedOn = Object.entries(headers).filter(([name]) => name.startsWith('mcp-') || name === 'content-type');
  return new Request(origin + path, {
    method: 'POST',
    headers: {
      ...Object.fromEntries(passedOn.map(([name, value]) => [name, String(value)])),
      accept: 'application/json, text/event-stream',
    },
    signal,
  });
}
