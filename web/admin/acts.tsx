import { Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type AdminAct, exportActs } from '#shared/admin.ts';
import { urlOf } from '../lib/api.ts';
import { ButtonAnchor } from '../ui/button.tsx';
import { CardTable, type Column } from '../ui/card-table.tsx';
import { DateText } from '../ui/date-text.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Pagination } from '../ui/pagination.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { actWords } from './act-words.ts';
import styles from './panel-list.module.css';
import { actKindsQuery, actsQuery } from './queries.ts';
import { usePanel } from './use-panel.ts';

const columns: Column<AdminAct>[] = [
  { name: 'What', width: '19%', onCard: 'title', cell: ({ act }) => act },
  { name: 'Who', width: '13%', cell: ({ username }) => username },
  { name: 'Details', cell: ({ act, details }) => actWords(act, details) || '–' },
  { name: 'When', width: '222px', cell: ({ date }) => <DateText value={date} pattern="time" /> },
  { name: 'From', width: '140px', cell: ({ address }) => address ?? 'Command line' },
];

/** The audit log: what admins did, when and from where. */
export function Acts() {
  const { search, go } = usePanel();
  const { act, person, actsPage = 1 } = search;
  const filter = { ...(act && { act }), ...(person && { person }) };
  const acts = useQuery(actsQuery({ ...filter, page: actsPage - 1 }));
  const kinds = useQuery(actKindsQuery).data;
  const { data } = acts;
  return (
    <section aria-labelledby="acts">
      <Title order={2} size="h4" id="acts" mb="sm">
        Admin activity
      </Title>
      <div className={styles.bar}>
        <SelectField
          className={styles.filter}
          aria-label="What was done"
          options={choices('Everything', kinds?.acts, act)}
          value={act ?? ''}
          onChange={(next) => void go({ act: next || undefined, actsPage: undefined })}
        />
        <SelectField
          className={styles.filter}
          aria-label="Who did it"
          options={choices('Everybody', kinds?.people, person)}
          value={person ?? ''}
          onChange={(next) => void go({ person: next || undefined, actsPage: undefined })}
        />
        <ButtonAnchor
          href={urlOf(exportActs, {}, filter)}
          download
          variant="default"
          className={styles.push}
          leftSection={<Download size={16} aria-hidden />}
        >
          Export CSV
        </ButtonAnchor>
      </div>
      {acts.isError && !data && <ErrorState error={acts.error} onRetry={() => void acts.refetch()} />}
      {acts.isPending && <Skeleton className={styles.waiting} radius="md" />}
      {data?.acts.length === 0 && (
        <Text size="sm" c="dimmed">
          {act || person ? 'Nothing of this kind was done.' : 'No admin has changed anything yet.'}
        </Text>
      )}
      {data && data.acts.length > 0 && (
        <CardTable
          label="Admin activity"
          columns={columns}
          rows={data.acts}
          keyOf={({ id }) => id}
          isStale={acts.isPlaceholderData}
        />
      )}
      {data && (
        <Pagination
          page={actsPage - 1}
          pageSize={data.pagination.pageSize}
          total={data.pagination.total}
          label="Pages of admin activity"
          onChange={(next) => void go({ actsPage: next > 0 ? next + 1 : undefined })}
        />
      )}
    </section>
  );
}

/** What an address asks for stays among the choices, even while they are not known. */
function choices(all: string, names: string[] = [], chosen: string | undefined) {
  const known = chosen === undefined || names.includes(chosen) ? names : [chosen, ...names];
  return [{ value: '', label: all }, ...known.map((name) => ({ value: name, label: name }))];
}
