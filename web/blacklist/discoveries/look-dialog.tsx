import { Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { maxDiscoveryNames, startDiscoveries } from '#shared/blacklist/discoveries.ts';
import { call } from '../../platform/api.ts';
import { plural } from '../../platform/format.ts';
import { FormDialog } from '../../ui/dialogs.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { toastSuccess } from '../../ui/toast.tsx';
import styles from './discoveries.module.css';
import { refreshDiscoveries } from './queries.ts';

/** Names of sites, one a line or separated by commas or spaces. */
const toNames = (text: string) => [...new Set(text.split(/[\s,;]+/).filter((name) => name !== ''))];

/** Asks for names of sites to visit. Stays open if some of them are never visited, and says why. */
export function LookDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const client = useQueryClient();
  const [text, setText] = useState('');
  const names = toNames(text);
  const look = useMutation({
    mutationFn: () => call(startDiscoveries, { body: { domains: names } }),
    onSuccess: ({ count, skipped }) => {
      if (count > 0) toastSuccess(`${plural(count, 'site')} will be visited`);
      void refreshDiscoveries(client);
      if (skipped.length === 0) close();
      else setText(skipped.map(({ name }) => name).join('\n'));
    },
  });
  const close = () => {
    setText('');
    look.reset();
    onClose();
  };
  const tooMany = names.length > maxDiscoveryNames;
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      onSubmit={() => look.mutate()}
      title="Look for offers of links"
      submitLabel="Visit sites"
      busy={look.isPending}
      invalid={names.length === 0 || tooMany}
      closeOnClickOutside={text === ''}
    >
      <Textarea
        label="Sites"
        description={`One name per line, up to ${maxDiscoveryNames.toLocaleString('en')}. Linksieve reads the home page and pages for advertisers and authors.`}
        placeholder={'blog.example\nmagazine.example'}
        error={tooMany && `Remove some names: there are ${names.length.toLocaleString('en')}.`}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        autosize
        minRows={5}
        maxRows={12}
        data-autofocus
        data-mono
      />
      {look.data && look.data.skipped.length > 0 && (
        <ul className={styles.skipped} role="status" aria-label="Names that are not visited">
          {look.data.skipped.map(({ name, reason }) => (
            <li key={name}>
              <bdi data-mono>{name}</bdi>: {reason}
            </li>
          ))}
        </ul>
      )}
      <FormError error={look.error} />
    </FormDialog>
  );
}
