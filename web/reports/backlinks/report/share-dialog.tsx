import { Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { defaultShareDays, type ReportShare, revokeReportShares, shareReport } from '#shared/reports/report-shares.ts';
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
import { sharesQuery } from '../screen.ts';
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

/** Lists, creates and ends the links with which people without an account can read a report. */
export function ShareDialog({ report: { id }, opened, onClose }: ShareDialogProps) {
  const queries = useQueryClient();
  const shares = useQuery({ ...sharesQuery(id), enabled: opened });
  const [days, setDays] = useState(String(defaultShareDays));
  const reload = () => queries.invalidateQueries({ queryKey: sharesQuery(id).queryKey });
  const create = useMutation({
    mutationFn: () => withProof(() => call(shareReport, { params: { id }, body: { days: Number(days) } })),
    onMutate: () => revoke.reset(),
    onSettled: reload,
  });
  const revoke = useMutation({
    mutationFn: (link: number) => call(revokeReportShares, { params: { id }, query: { link } }),
    onSettled: reload,
  });
  const links = shares.data;
  return (
    <Modal opened={opened} onClose={onClose} title={<FocusedTitle>Share report</FocusedTitle>} size="md">
      <Stack gap="md">
        <Text size="sm">
          Anyone with a link can read this report without an account: its figures, the trend of the website, the toxic
          domains with their links, and your decisions. Readers cannot change anything. They do not see your notes, your
          name, or your files.
        </Text>
        {links === undefined ? (
          <QueryState query={shares} height={84} title="The links could not be loaded" />
        ) : (
          <>
            {links.length > 0 && (
              <ul className={styles.links} aria-label="Links">
                {links.map((link) => (
                  <li key={link.id}>
                    <Link
                      link={link}
                      isRevoking={revoke.isPending && revoke.variables === link.id}
                      onRevoke={() => revoke.mutate(link.id)}
                    />
                  </li>
                ))}
              </ul>
            )}
            {revoke.isSuccess && (
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
                  {...(links.length > 0 && { variant: 'default' as const })}
                  loading={create.isPending}
                  onClick={() => create.mutate()}
                >
                  {links.length > 0 ? 'Create another link' : 'Create link'}
                </Button>
              </Group>
              <FormError error={create.error} />
            </div>
          </>
        )}
      </Stack>
    </Modal>
  );
}

interface LinkProps {
  link: ReportShare;
  isRevoking: boolean;
  onRevoke(): void;
}

function Link({ link: { url, createdAt, expiresAt }, isRevoking, onRevoke }: LinkProps) {
  return (
    <>
      <Group gap="sm" wrap="nowrap">
        {url ? (
          <TextInput
            className={styles.link}
            aria-label="Link"
            value={url}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
            rightSection={<CopyButton value={url} label="Copy the link" />}
          />
        ) : (
          <Text size="sm" className={styles.link}>
            This link works, but it cannot be shown. Create another one to copy it.
          </Text>
        )}
        <Button variant="default" loading={isRevoking} onClick={onRevoke} aria-label="Revoke link">
          Revoke
        </Button>
      </Group>
      <Hint>
        Created <DateText value={createdAt} />, expires on <DateText value={expiresAt} />
      </Hint>
    </>
  );
}
