import { Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { defaultShareDays, type ReportShare, revokeReportShare, shareReport } from '#shared/reports/report-shares.ts';
import type { Report } from '#shared/reports/reports.ts';
import { call } from '../../../platform/api.ts';
import { withProof } from '../../../platform/proof.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DateText } from '../../../ui/date-text.tsx';
import { FocusedTitle } from '../../../ui/dialogs.tsx';
import { SelectField } from '../../../ui/fields.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Hint } from '../../../ui/typography.ts';
import { shareQuery } from '../screen.ts';
import styles from './share-dialog.module.css';

const expiryOptions = [
  { value: '7', label: '7 days' },
  { value: String(defaultShareDays), label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
];

interface ShareDialogProps {
  report: Report;
  opened: boolean;
  onClose(): void;
}

/** Creates and ends the link with which people without an account can read a report. */
export function ShareDialog({ report: { id }, opened, onClose }: ShareDialogProps) {
  const queries = useQueryClient();
  const share = useQuery({ ...shareQuery(id), enabled: opened });
  const [days, setDays] = useState(String(defaultShareDays));
  const setShare = (value: ReportShare | null) =>
    queries.setQueryData<ReportShare | null>(shareQuery(id).queryKey, value);
  const create = useMutation({
    mutationFn: () => withProof(() => call(shareReport, { params: { id }, body: { days: Number(days) } })),
    onMutate: () => revoke.reset(),
    onSuccess: ({ expiresAt }) => setShare({ expiresAt }),
  });
  const revoke = useMutation({
    mutationFn: () => call(revokeReportShare, { params: { id } }),
    onSuccess: () => {
      create.reset();
      setShare(null);
    },
  });
  const current = share.data;
  // Another tab may have replaced the link since.
  const url = current && create.data?.expiresAt === current.expiresAt ? create.data.url : undefined;
  return (
    <Modal opened={opened} onClose={onClose} title={<FocusedTitle>Share report</FocusedTitle>} size="md">
      <Stack gap="md">
        <Text size="sm">
          Anyone with the link can read this report without an account: its figures, the trend of the website, the toxic
          domains with their links, and your decisions. Readers cannot change anything. They do not see your notes, your
          name, or your files.
        </Text>
        {current === undefined ? (
          <QueryState query={share} height={84} title="The link could not be loaded" />
        ) : (
          <>
            {url && (
              <TextInput
                label="Link"
                description="Copy it now. For your security, it is not shown again."
                value={url}
                readOnly
                onFocus={(event) => event.currentTarget.select()}
                rightSection={<CopyButton value={url} label="Copy the link" />}
              />
            )}
            {current && (
              <Group justify="space-between" gap="8px 16px">
                <Text size="sm" role="status">
                  The link expires on <DateText value={current.expiresAt} pattern="long" />.
                </Text>
                <Button variant="default" size="xs" loading={revoke.isPending} onClick={() => revoke.mutate()}>
                  Revoke link
                </Button>
              </Group>
            )}
            {revoke.isSuccess && !current && (
              <Text size="sm" role="status">
                The link was revoked. It no longer opens the report.
              </Text>
            )}
            <FormError error={revoke.error} />
            <div className={styles.create}>
              <Group gap="sm">
                <Text size="sm" component="span">
                  Expires after
                </Text>
                <SelectField aria-label="Expires after" options={expiryOptions} value={days} onChange={setDays} />
                <Button
                  {...(current && { variant: 'default' as const })}
                  loading={create.isPending}
                  onClick={() => create.mutate()}
                >
                  {current ? 'Create a new link' : 'Create link'}
                </Button>
              </Group>
              {current && (
                <Hint>
                  {!url && 'The link was shown when it was created. '}
                  Creating a new link disables the current one.
                </Hint>
              )}
              <FormError error={create.error} />
            </div>
          </>
        )}
      </Stack>
    </Modal>
  );
}
