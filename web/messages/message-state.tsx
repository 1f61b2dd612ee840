import type { Message } from '#shared/messages.ts';
import styles from './message-state.module.css';

/** New, Read or Replied. */
export function MessageState({ message }: { message: Pick<Message, 'read' | 'replied'> }) {
  const word = message.replied ? 'Replied' : message.read ? 'Read' : 'New';
  return (
    <span className={styles.state} data-state={word}>
      {word}
    </span>
  );
}
