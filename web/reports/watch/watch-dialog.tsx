import { Switch, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { BodyOf } from '#shared/platform/endpoint.ts';
import { alertEvents, type DigestInterval, getWatch, updateWatch, type Watch } from '#shared/reports/watch.ts';
import type { Website } from '#shared/reports/websites.ts';
import { useUser } from '../../accounts/sessions/session.tsx';
import { paths } from '../../paths.ts';
import { call } from '../../platform/api.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';
import { formatCount, plural } from '../../platform/format.ts';
import { pageState } from '../../platform/page-state.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { FocusedTitle, FormDialog } from '../../ui/dialogs.tsx';
import { Checkbox, RadioGroup } from '../../ui/fields.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { toastSuccess } from '../../ui/toast.tsx';
import { Hint } from '../../ui/typography.ts';
import { websitesQuery } from '../websites/websites.ts';
import { eventTexts, findExcessAge } from './watch.tsx';
import styles from './watch-dialog.module.css';

export interface WatchDialogProps {
  website: Pick<Website, 'id' | 'domain'>;
  opened: boolean;
  onClose(): void;
}

const watchQuery = (websiteId: number) =>
  endpointQuery(['watch', websiteId], getWatch, { params: { id: websiteId }, staleTime: 0 });

type Values = Pick<Watch, 'enabled' | 'events' | 'digest'>;

/** How a website is watched: whether, for which events, and how often alerts are sent by email. */
export function WatchDialog({ website: { id, domain }, opened, onClose }: WatchDialogProps) {
  const client = useQueryClient();
  const watch = useQuery({ ...watchQuery(id), enabled: opened });
  const [draft, setDraft] = useState<Values>();
  useEffect(() => {
    if (opened) setDraft(undefined);
  }, [opened]);
  const change = useMutation({
    mutationFn: (body: BodyOf<typeof updateWatch>) => call(updateWatch, { params: { id }, body }),
    onSuccess: async (stored) => {
      client.setQueryData<Watch>(watchQuery(id).queryKey, stored);
      await client.invalidateQueries({ queryKey: websitesQuery.queryKey });
    },
  });
  const { data } = watch;
  const values = draft ?? data;
  const save = () => {
    if (!data || !draft) return onClose();
    const { digest, ...rest } = draft;
    // Sending the digest resumes emails, which the user may not want here.
    change.mutate(digest === data.digest ? rest : draft, {
      onSuccess: ({ enabled }) => {
        onClose();
        toastSuccess('Watch settings saved', enabled ? `${domain} is watched.` : `${domain} is not watched.`);
      },
    });
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      onSubmit={save}
      title={<FocusedTitle>Watch {domain}</FocusedTitle>}
      submitLabel="Save"
      busy={change.isPending}
      invalid={!data}
      closeOnClickOutside={draft === undefined}
    >
      {!data && <QueryState query={watch} height={380} title="The settings could not be loaded" />}
      {data && values && (
        <>
          <WatchedHosts id={id} watch={data} />
          <Switch
            label="Watch this website"
            description="These hosts are checked whenever the blacklist changes."
            checked={values.enabled}
            onChange={(event) => setDraft({ ...values, enabled: event.currentTarget.checked })}
          />
          <Events values={values} onChange={setDraft} />
          <Digest
            watch={data}
            values={values}
            onChange={setDraft}
            onResume={() => change.mutate({ digest: data.digest })}
          />
          <FormError error={change.error} />
        </>
      )}
    </FormDialog>
  );
}

/** What is compared with the blacklist, and whether a newer export is needed. */
function WatchedHosts({ id, watch: { hosts, exports, exportedAt } }: { id: number; watch: Watch }) {
  const reports = { to: paths.riskAssessment, search: { tab: 'reports', profile: id }, inherit: true } as const;
  if (exportedAt === null) {
    return (
      <Text size="sm">
        There is no export yet. <TextLink {...reports}>Upload a backlink export</TextLink> so that there are hosts to
        watch.
      </Text>
    );
  }
  const age = findExcessAge(exportedAt);
  return (
    <div>
      <Text size="sm">
        {plural(hosts, 'host')}
        {exports > 1 ? ` from ${formatCount(exports)} exports, the last of ` : ', from the export of '}
        <DateText value={exportedAt} />
      </Text>
      {age !== undefined && (
        <Text size="sm" className={styles.old}>
          This export is {formatCount(age)} days old, and links have changed since.{' '}
          <TextLink {...reports}>Upload a new one</TextLink>
        </Text>
      )}
    </div>
  );
}

interface FieldsProps {
  values: Values;
  onChange(values: Values): void;
}

function Events({ values, onChange }: FieldsProps) {
  return (
    <fieldset className={styles.events} disabled={!values.enabled}>
      <legend>Alert me about these events</legend>
      {alertEvents.map((event) => {
        const { label, meaning } = eventTexts[event];
        return (
          <div key={event}>
            <Checkbox
              label={label}
              checked={values.events[event]}
              aria-describedby={`watch-${event}`}
              onChange={({ currentTarget }) =>
                onChange({ ...values, events: { ...values.events, [event]: currentTarget.checked } })
              }
            />
            <p id={`watch-${event}`}>{meaning}</p>
          </div>
        );
      })}
    </fieldset>
  );
}

const digestOptions = [
  { value: 'off', label: 'Off' },
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly' },
] as const satisfies { value: DigestInterval; label: string }[];

interface DigestProps extends FieldsProps {
  watch: Watch;
  onResume(): void;
}

/** How often new alerts are sent by email. */
function Digest({ watch, values, onChange, onResume }: DigestProps) {
  const { sendsMail } = pageState();
  const { isEmailConfirmed } = useUser();
  const isPaused = watch.emailPaused && watch.digest !== 'off';
  return (
    <div>
      <RadioGroup
        legend="Email digest of new alerts"
        options={digestOptions}
        value={values.digest}
        onChange={(digest) => onChange({ ...values, digest })}
        disabled={!values.enabled || !sendsMail}
        isInline
      />
      {!sendsMail && <Hint className={styles.note}>This server does not send email.</Hint>}
      {!isEmailConfirmed && values.digest !== 'off' && (
        <Hint className={styles.note}>
          Digests are not sent until you confirm your email address.{' '}
          <TextLink to={paths.account}>Confirm it in My Account</TextLink>
        </Hint>
      )}
      {sendsMail && isPaused && (
        <div className={styles.paused} role="status">
          <Text size="sm">Email paused: the mail server refused your address.</Text>
          <Button size="xs" variant="default" onClick={onResume}>
            Resume email
          </Button>
        </div>
      )}
    </div>
  );
}
