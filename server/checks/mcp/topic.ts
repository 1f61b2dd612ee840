import type { Topic } from '../../topic.ts';
import { createMcpScope } from './routes.ts';

export const mcpTopic: Topic = { keyScope: createMcpScope };
