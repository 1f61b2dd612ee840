import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Registration, register } from '#shared/accounts.ts';
import { ApiError, call } from '../lib/api.ts';
import { setSession } from '../lib/session.ts';
import { toast } from '../ui/toast.tsx';

/** Creates an account and signs in. `onRefused` hears which field the server refused, and why. */
export function useRegister(onSignedIn: () => void, onRefused: (fields: Record<string, string>) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ displayName, ...values }: Registration) =>
      call(register, { body: { ...values, ...(displayName?.trim() && { displayName }) } }),
    onSuccess: (user) => {
      onSignedIn();
      setSession(queryClient, user);
      toast({
        title: 'Registration successful',
        description: `Welcome to Linksieve, ${user.displayName || user.username}.`,
        tone: 'success',
      });
    },
    onError: (error) => {
      if (error instanceof ApiError) onRefused(fieldsOf(error));
      toast({ title: 'Registration failed', description: sentenceOf(error), tone: 'destructive' });
    },
  });
}

function sentenceOf(error: Error): string {
  if (!(error instanceof ApiError)) return 'There was a problem creating your account. Please try again.';
  return error.message || 'Unable to create account';
}

/** The server names the field; where it only says the word, the sentence goes beside that one. */
function fieldsOf(error: ApiError): Record<string, string> {
  if (Object.keys(error.fields).length > 0) return error.fields;
  const named = ['username', 'email', 'password'].find((field) => error.message.toLowerCase().includes(field));
  return named ? { [named]: error.message } : {};
}
