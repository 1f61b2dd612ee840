import type { Created, Id } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    messages: MessagesTable;
    message_replies: MessageRepliesTable;
  }
}

export interface MessagesTable {
  id: Id;
  user_id: number | null;
  domain_id: number | null;
  appeal_id: number | null;
  name: string;
  email: string;
  subject: string;
  message: string;
  created_at: Created;
  read_at: Date | null;
  replied_at: Date | null;
}

export interface MessageRepliesTable {
  id: Id;
  message_id: number;
  user_id: number | null;
  username: string;
  message: string;
  created_at: Created;
  lost_at: Date | null;
}
