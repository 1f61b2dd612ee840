import { Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addDomain, type DomainInput } from '#shared/domains.ts';
import { call } from '../lib/api.ts';
import { TextLink } from '../ui/text-link.tsx';
import { toast } from '../ui/toast.tsx';
import { DomainForm } from './domain-form.tsx';
import { emptyValues } from './domain-form-values.ts';
import { refreshDomains } from './domains.tsx';
import { problemOf, refusal } from './refusal.ts';

/** The inside of the 'Add Domain' dialog. */
export function AddDomain({ onClose }: { onClose(): void }) {
  const client = useQueryClient();
  const [existing, setExisting] = useState<number>();
  const add = useMutation({ mutationFn: (body: DomainInput) => call(addDomain, { body }) });

  const submit = async (input: DomainInput) => {
    setExisting(undefined);
    try {
      const domain = await add.mutateAsync(input);
      toast({ title: 'Domain added', description: domain.domain, tone: 'success' });
      onClose();
      void refreshDomains(client);
      return undefined;
    } catch (error) {
      const { message, fields, existingId } = refusal(error);
      toast({ title: 'Failed to add domain', description: message, tone: 'destructive' });
      setExisting(existingId);
      return fields;
    }
  };

  return (
    <Stack gap="sm">
      <DomainForm
        initial={emptyValues}
        submitLabel="Add Domain"
        isBusy={add.isPending}
        problem={add.error && problemOf(add.error)}
        onSubmit={submit}
        onCancel={onClose}
      />
      {existing !== undefined && (
        <TextLink to="." search={(before: object) => ({ ...before, dialog: undefined, domain: existing })} size="sm">
          Open the domain that is already listed
        </TextLink>
      )}
    </Stack>
  );
}
