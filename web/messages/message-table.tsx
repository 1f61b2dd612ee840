import { Trash2 } from 'lucide-react';
import type { Message } from '#shared/messages.ts';
import { Button } from '../ui/button.tsx';
import shared from '../ui/card-table.module.css';
import { DateText } from '../ui/date-text.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { MessageState } from './message-state.tsx';
import styles from './message-table.module.css';

export interface MessageRows {
  messages: Message[];
  onOpen(id: number): void;
  onDelete(message: Message): void;
}

/** The list on wide screens; the columns' widths are fixed so that nothing shifts. */
export function MessageTable({ messages, onOpen, onDelete }: MessageRows) {
  return (
    <table className={`${shared.table} ${styles.table}`} aria-label="Messages">
      <thead>
        <tr>
          <th scope="col" data-column="status">
            Status
          </th>
          <th scope="col">From</th>
          <th scope="col" data-column="subject">
            Subject
          </th>
          <th scope="col" data-column="date">
            Date
          </th>
          <th scope="col" data-column="actions">
            Actions
          </th>
        </tr>
      </thead>
      <tbody>
        {messages.map((message) => (
          <tr key={message.id} data-new={!message.read || undefined}>
            <td>
              <MessageState message={message} />
            </td>
            <td title={`${message.name} <${message.email}>`}>
              <bdi className={styles.name}>{message.name}</bdi>
              <bdi className={styles.email}>{message.email}</bdi>
            </td>
            <td className={styles.subject} title={message.subject}>
              <bdi>{message.subject}</bdi>
            </td>
            <td>
              <DateText value={message.dateCreated} />
            </td>
            <td data-column="actions">
              <div className={styles.actions}>
                <Button
                  size="xs"
                  variant="default"
                  data-row
                  aria-label={`View the message of ${message.name}: ${message.subject}`}
                  onClick={() => onOpen(message.id)}
                >
                  View
                </Button>
                <IconButton
                  label={`Delete the message of ${message.name}: ${message.subject}`}
                  title="Delete"
                  onClick={() => onDelete(message)}
                >
                  <Trash2 size={15} aria-hidden />
                </IconButton>
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
