import { Trash2 } from 'lucide-react';
import { DateText } from '../ui/date-text.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import styles from './message-cards.module.css';
import { MessageState } from './message-state.tsx';
import type { MessageRows } from './message-table.tsx';

/** The list on narrow screens: a tap on a card opens its message. */
export function MessageCards({ messages, onOpen, onDelete }: MessageRows) {
  return (
    <ul className={styles.cards} aria-label="Messages">
      {messages.map((message) => (
        <li key={message.id} data-new={!message.read || undefined}>
          <button type="button" className={styles.card} data-row onClick={() => onOpen(message.id)}>
            <span className={styles.top}>
              <bdi className={styles.name}>{message.name}</bdi>
              <DateText value={message.dateCreated} />
            </span>
            <bdi className={styles.subject}>{message.subject}</bdi>
            <MessageState message={message} />
          </button>
          <IconButton
            className={styles.delete}
            label={`Delete the message of ${message.name}: ${message.subject}`}
            title="Delete"
            onClick={() => onDelete(message)}
          >
            <Trash2 size={16} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
