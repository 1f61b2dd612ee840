import { Group, Stack, Textarea } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { DomainReport, reportDomain } from '#shared/blacklist/domain-changes.ts';
import { ApiError, call } from '../../platform/api.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';

/** The 'Report incorrect information' form. It sends a message to the admins. */
export function ReportForm({ id, onDone }: { id: number; onDone(): void }) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { message: '' },
    validate: schemaResolver(DomainReport, { sync: true }),
  });
  const send = useMutation({
    mutationFn: (body: { message: string }) => call(reportDomain, { params: { id }, body }),
    onSuccess: () => {
      toastSuccess('Report sent', 'Thank you. An admin will review it.');
      onDone();
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status === 400) form.setErrors(error.fields);
      toastError('Error', error.message);
    },
  });
  return (
    <form
      aria-label="Report incorrect information"
      onSubmit={form.onSubmit(
        (values) => send.mutate(values),
        () => form.getInputNode('message')?.focus(),
      )}
    >
      <Stack gap="sm">
        <Textarea
          key={form.key('message')}
          {...form.getInputProps('message')}
          label="What is incorrect?"
          description="What should be changed, and how do you know?"
          required
          withAsterisk={false}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={5000}
          autoFocus
        />
        <FormError error={form.errors.message ? undefined : send.error} />
        <Group gap="xs" justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={send.isPending}>
            Send report
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
