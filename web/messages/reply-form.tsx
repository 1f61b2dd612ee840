import { Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { maxMessageLength } from '#shared/messages.ts';
import { Button } from '../ui/button.tsx';
import { Refusal } from '../ui/refusal.tsx';
import styles from './reply-form.module.css';

interface ReplyFormProps {
  id: number;
  isBusy: boolean;
  error: { message: string } | null;
  onSend(text: string, onSent: () => void): void;
}

/** An answer by mail. What was begun waits while other messages are read; it goes with the session. */
export function ReplyForm({ id, isBusy, error, onSend }: ReplyFormProps) {
  const client = useQueryClient();
  const place = ['messages', 'reply', id];
  const [text, setText] = useState(() => client.getQueryData<string>(place) ?? '');
  const change = (next: string) => {
    setText(next);
    client.setQueryData(place, next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy && text.trim() !== '') onSend(text, () => change(''));
  };
  return (
    <form className={styles.form} onSubmit={submit} aria-label="Reply">
      <Textarea
        label="Reply"
        description="Sent by email, with the message below it. Answers go to your own address."
        autosize
        minRows={3}
        maxRows={12}
        maxLength={maxMessageLength}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <Refusal error={error} />
      <Button type="submit" loading={isBusy} disabled={text.trim() === ''}>
        Send Reply
      </Button>
    </form>
  );
}
