import { randomBytes } from 'node:crypto';

export interface Answer {
  status: number;
  body: unknown;
}

export const newId = (kind: string) => `${kind}_${randomBytes(12).toString('hex')}`;

export const done = (body: unknown): Answer => ({ status: 200, body });

export const fault = (status: number, type: string, code?: string): Answer => ({
  status,
  body: { error: { type, code, message: `No: ${code ?? type}` } },
});

export const missing = () => fault(404, 'invalid_request_error', 'resource_missing');
