import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { type AllowRule, createAllowRule, deleteAllowRule } from '#shared/blacklist/held.ts';
import { ApiError, call } from '../../platform/api.ts';
import { plural } from '../../platform/format.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FormDialog } from '../../ui/dialogs.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { QueryTable } from '../../ui/query-table.tsx';
import styles from '../../ui/screen.module.css';
import type { Column } from '../../ui/table.tsx';
import { toastSuccess } from '../../ui/toast.tsx';
import { Hint } from '../../ui/typography.ts';
import { refreshDomains } from '../domains/domains.tsx';
import { allowRulesQuery, refreshHeld } from './queries.ts';
import { NameField, nameColumn, ReasonField, ruleColumns } from './rule-parts.tsx';

/** The state of a list, and functions to change it. */
export interface ListProps {
  /** `page` counts from 1. */
  list: { search: string | undefined; page: number };
  onSearch(search: string | undefined): void;
  onPage(page: number, replace?: boolean): void;
}

/** The allow rules: a list, a form to add one, and deletion. */
export function AllowRules({ list, onSearch, onPage }: ListProps) {
  const { search, page } = list;
  const query = useQuery(allowRulesQuery({ search, page: page - 1 }));
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <Hint className={styles.lead}>
        An allow rule protects a domain and its subdomains: imports and submissions cannot list them.
      </Hint>
      <div className={styles.bar}>
        <ListSearch label="Search domains and reasons" value={search} maxLength={253} onApply={onSearch} />
        <Button onClick={() => setAdding(true)}>Add allow rule</Button>
      </div>
      <QueryTable
        label="Allow rules"
        pagesLabel="Pages of allow rules"
        columns={columns}
        query={query}
        getRows={({ rules }) => rules}
        getRowKey={({ id }) => id}
        page={page}
        onPage={onPage}
        empty={
          search === undefined ? (
            <EmptyState
              icon={ShieldCheck}
              title="No allow rules yet"
              description="Add a rule for a site that imports must not list."
            />
          ) : (
            <EmptyState title="No allow rules found" description="Try another domain or reason.">
              <Button variant="default" onClick={() => onSearch(undefined)}>
                Show all allow rules
              </Button>
            </EmptyState>
          )
        }
      />
      {isAdding && <AddRuleDialog onClose={() => setAdding(false)} />}
    </>
  );
}

const columns: Column<AllowRule>[] = [
  nameColumn('Domain', ({ domain }) => domain),
  ...ruleColumns,
  {
    name: 'Actions',
    width: '104px',
    onCard: 'actions',
    cell: (rule) => (
      <div className={styles.actions}>
        <DeleteRule rule={rule} />
      </div>
    ),
  },
];

/** The form to add a rule. */
function AddRuleDialog({ onClose }: { onClose(): void }) {
  const client = useQueryClient();
  const [domain, setDomain] = useState('');
  const [reason, setReason] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(createAllowRule, { body: { domain, reason } }),
    onSuccess: ({ domain: name, heldCount }) => {
      const moved = heldCount > 0 ? ` ${plural(heldCount, 'listing')} moved to the review queue.` : '';
      toastSuccess('Allow rule added', `${name} is protected.${moved}`);
      onClose();
      if (heldCount > 0) void refreshDomains(client);
      void refreshHeld(client);
    },
  });
  const fields = error instanceof ApiError ? error.fields : {};
  return (
    <FormDialog
      opened
      onClose={onClose}
      onSubmit={() => mutate()}
      title="Add allow rule"
      submitLabel="Add allow rule"
      busy={isPending}
      closeOnClickOutside={domain === '' && reason === ''}
    >
      <NameField
        label="Domain"
        description="Its subdomains are protected too. If they are listed, their listings move to the review queue."
        value={domain}
        onChange={setDomain}
        error={fields.domain}
      />
      <ReasonField description="Other admins can read it." value={reason} onChange={setReason} error={fields.reason} />
      {Object.keys(fields).length === 0 && <FormError error={error} />}
    </FormDialog>
  );
}

function DeleteRule({ rule: { id, domain } }: { rule: AllowRule }) {
  const client = useQueryClient();
  return (
    <ConfirmButton
      label="Delete"
      name={`Delete the allow rule for ${domain}`}
      title="Delete allow rule"
      confirmLabel="Delete"
      run={() => call(deleteAllowRule, { params: { id } })}
      onDone={() => {
        toastSuccess('Allow rule deleted', domain);
        return refreshHeld(client);
      }}
      removesRow
    >
      Imports and submissions can list <strong data-mono>{domain}</strong> again. Listings in the review queue stay
      there.
    </ConfirmButton>
  );
}
