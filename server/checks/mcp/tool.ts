import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { FastifyBaseLogger } from 'fastify';
import type * as z from 'zod';
import type { ApiKeyScope } from '#shared/accounts/api-key-scopes.ts';
import type { createKeyCharger } from '../../accounts/api-keys/api-keys.ts';
import type { Context } from '../../context.ts';
import { toSentError } from '../../platform/http/error-handler.ts';
import { diskFullError, missingScope } from '../../platform/http/errors.ts';
import type { KeyHolder } from '../../platform/http/scope.ts';
import { untrustedNote } from './untrusted.ts';

/** The request that a tool serves. */
export interface ToolCall {
  context: Context;
  key: KeyHolder;
  charge: ReturnType<typeof createKeyCharger>;
  /** Scheme, host and port of the site, for links. */
  origin: string;
  log: FastifyBaseLogger;
}

interface ToolDefinition<I extends z.ZodObject, O extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  /** What the key must allow. */
  scope: ApiKeyScope;
  /** What a tool that changes something does to the data of the user. Without it, the tool only reads. */
  effect?: 'adds' | 'replaces';
  input: I;
  output: O;
  /** The requests that a call costs. Without it, 1. */
  getCost?(input: z.output<I>): number;
  /** `summary` contains no untrusted text. @throws an HttpError to tell the assistant what is wrong */
  run(call: ToolCall, input: z.output<I>): Promise<{ summary: string; data: z.input<O> }>;
}

/** Adds a tool to the server of a request. */
export type AddTool = (server: McpServer, call: ToolCall) => void;

const describeEffect = (effect: 'adds' | 'replaces' | undefined) => ({
  readOnlyHint: effect === undefined,
  destructiveHint: effect === 'replaces',
  idempotentHint: effect !== 'adds',
  openWorldHint: false,
});

/** Failed calls cost nothing. */
export function createTool<I extends z.ZodObject, O extends z.ZodObject>(tool: ToolDefinition<I, O>): AddTool {
  const { name, title, description, scope, effect, input, output, getCost = () => 1, run } = tool;
  const annotations = describeEffect(effect);
  const config = { title, description, inputSchema: input as z.ZodObject, outputSchema: output, annotations };
  return (server, call) => {
    server.registerTool(name, config, async (sent) => {
      const args = sent as z.output<I>;
      try {
        if (!call.key.scopes.includes(scope)) throw missingScope(scope);
        if (effect && (await call.context.files.isReserveReached())) throw diskFullError();
        const { summary, data } = await call.charge(call.key, getCost(args), () => run(call, args));
        return toResult(summary, output.parse(data));
      } catch (error) {
        const { message } = toSentError(error, call.log);
        return { content: [{ type: 'text', text: message }], isError: true };
      }
    });
  };
}

/**
 * Many clients show the model only the text, so it contains the data too. Nothing in the data can end its block,
 * because the JSON contains no `<`.
 */
function toResult(summary: string, data: Record<string, unknown>): CallToolResult {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  const text = `${untrustedNote}\n<data>\n${json}\n</data>`;
  return {
    content: [
      { type: 'text', text: summary },
      { type: 'text', text },
    ],
    structuredContent: data,
  };
}

/** '1 domain', '2 domains'. */
export const countNoun = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
