import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Registration, register } from '#shared/accounts.ts';
import { ApiError, call } from '../lib/api.ts';
import { setSession } from '../session/session.tsx';
import { toast } from '../ui/toast.tsx';
import { subscribeToNews } from './subscribe-to-news.ts';

/** Creates an account and signs in. `onRefused` hears which field the server refused, and why. */
export function useRegister(onSignedIn: () => void, onRefused: (fields: Record<string, string>) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ displayName, ...values }: Registration) =>
      call(register, { body: { ...values, ...(displayName?.trim() && { displayName }) } }),
    onSuccess: (user) => {
      onSignedIn();
      setSession(queryClient, user);
      subscribeToNews(user);
      toast({
        title: 'Registration successful',
        description: `Welcome to Linksieve, ${user.displayName || user.username}.`,
        tone: 'success',
      });
    },
    onError: (error) => {
      if (error instanceof ApiError) onRefused(fieldsOf(error));
      toast({ ...textOf(error), tone: 'destructive' });
    },
  });
}

function textOf(error: Error): { title: string; description: string } {
  if (!(error instanceof ApiError)) {
    const description = 'There was a problem creating your account. Please try again.';
    return { title: 'Registration failed', description };
  }
  // A fault of the server says nothing that helps the person.
  if (error.status >= 500) {
    return { title: 'Registration Failed', description: 'Could not create account. Please try again.' };
  }
  return { title: 'Registration failed', description: error.message || 'Unable to create account' };
}

/** The server names the field; where it only says the word, the sentence goes beside that one. */
function fieldsOf(error: ApiError): Record<string, string> {
  if (Object.keys(error.fields).length > 0) return error.fields;
  const named = ['username', 'email', 'password'].find((field) => error.message.toLowerCase().includes(field));
  return named ? { [named]: error.message } : {};
}
