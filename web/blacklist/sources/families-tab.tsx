import { Skeleton, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { deleteFamily, type Family, type Source, updateSource } from '#shared/blacklist/sources.ts';
import { paths } from '../../paths.ts';
import { call } from '../../platform/api.ts';
import { plural } from '../../platform/format.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, FormDialog } from '../../ui/dialogs.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormError } from '../../ui/form-error.tsx';
import panel from '../../ui/panel.module.css';
import { QueryState } from '../../ui/query-state.tsx';
import { Row, RowList } from '../../ui/row-list.tsx';
import screen from '../../ui/screen.module.css';
import { TextLink } from '../../ui/screen.tsx';
import { Breakable } from '../../ui/text.tsx';
import { toastSuccess } from '../../ui/toast.tsx';
import { Hint, SectionTitle } from '../../ui/typography.ts';
import { familiesQuery, refreshSources, suggestionsQuery } from './queries.ts';
import { SourceSelect } from './source-select.tsx';
import styles from './sources.module.css';
import { Suggestions } from './suggestions.tsx';

/** Suggested families, and the existing ones with their sources. */
export function FamiliesTab() {
  const isWaiting = [useQuery(suggestionsQuery), useQuery(familiesQuery)].some(({ isPending }) => isPending);
  // Both appear at once, because the suggestions would move the families.
  return (
    <>
      {isWaiting && <Skeleton height={360} radius="md" data-waiting />}
      <div hidden={isWaiting} className={styles.parts}>
        <Suggestions />
        <section aria-labelledby="families">
          <SectionTitle size="h3" id="families">
            Families
          </SectionTitle>
          <Families />
        </section>
      </div>
    </>
  );
}

type FamilySource = Family['sources'][number];

/** A change of a family that is confirmed before it applies. */
interface Change {
  family: Family;
  /** The source to remove; undefined to delete the family. */
  source?: FamilySource;
}

function Families() {
  const query = useQuery(familiesQuery);
  const families = query.data;
  const [change, setChange] = useState<Change>();
  const [familyToExtend, setFamilyToExtend] = useState<Family>();
  if (!families) return <QueryState query={query} height={180} />;
  return (
    <>
      {families.length === 0 ? (
        <EmptyState
          icon={Copy}
          title="No families yet"
          description="Confirm a suggestion to count its sources once."
          order={3}
        />
      ) : (
        <ul className={styles.cards} aria-label="Families">
          {families.map((family) => (
            <li key={family.id} className={panel.panel}>
              <div className={styles.head}>
                <Title order={3} size="h4">
                  <Breakable>{family.name}</Breakable>
                </Title>
                <div className={screen.actions}>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Add a source to ${family.name}`}
                    onClick={() => setFamilyToExtend(family)}
                  >
                    Add a source
                  </Button>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Delete family ${family.name}`}
                    onClick={() => setChange({ family })}
                  >
                    Delete family
                  </Button>
                </div>
              </div>
              <Members family={family} onRemove={(source) => setChange({ family, source })} />
            </li>
          ))}
        </ul>
      )}
      <FamilyChangeDialog change={change} onClose={() => setChange(undefined)} />
      {familyToExtend && <AddSourceDialog family={familyToExtend} onClose={() => setFamilyToExtend(undefined)} />}
    </>
  );
}

function Members({ family, onRemove }: { family: Family; onRemove(source: FamilySource): void }) {
  if (family.sources.length === 0) {
    return <Hint className={styles.none}>This family has no sources. Add a source, or delete the family.</Hint>;
  }
  return (
    <RowList isFramed={false} aria-label={`Sources of ${family.name}`}>
      {family.sources.map((source) => (
        <Row
          key={source.id}
          text={
            <>
              <Breakable>{source.name}</Breakable>{' '}
              <TextLink to={paths.domains} search={{ source: source.name }} size="sm" underline="always">
                {plural(source.domains, 'domain')}
              </TextLink>
            </>
          }
        >
          <Button
            size="xs"
            variant="subtle"
            aria-label={`Remove ${source.name} from ${family.name}`}
            onClick={() => onRemove(source)}
          >
            Remove
          </Button>
        </Row>
      ))}
    </RowList>
  );
}

/** Removes a source from a family, or deletes the family. */
function FamilyChangeDialog({ change, onClose }: { change: Change | undefined; onClose(): void }) {
  const queries = useQueryClient();
  const apply = useMutation({
    mutationFn: async ({ family, source }: Change): Promise<void> => {
      if (source) await call(updateSource, { params: { id: source.id }, body: { familyId: null } });
      else await call(deleteFamily, { params: { id: family.id } });
    },
    onSuccess: (_, { family, source }) => {
      onClose();
      if (source) toastSuccess('Source removed from family', `${source.name} is no longer in ${family.name}.`);
      else toastSuccess('Family deleted', `The sources of ${family.name} count separately again.`);
    },
    onSettled: () => refreshSources(queries),
  });
  return (
    <ConfirmDialog
      target={change}
      onClose={onClose}
      action={apply}
      title={({ source }) => (source ? 'Remove source' : 'Delete family')}
    >
      {({ family, source }) => (
        <>
          {source ? (
            <>
              <b>{source.name}</b> leaves the family <b>{family.name}</b> and counts separately again.
            </>
          ) : (
            <>
              The family <b>{family.name}</b> is deleted. Its {plural(family.sources.length, 'source')} will count
              separately again.
            </>
          )}{' '}
          This can raise the risk levels of their domains. Levels set by hand stay.
        </>
      )}
    </ConfirmDialog>
  );
}

function AddSourceDialog({ family, onClose }: { family: Family; onClose(): void }) {
  const queries = useQueryClient();
  const [source, setSource] = useState<Source>();
  const add = useMutation({
    mutationFn: (id: number) => call(updateSource, { params: { id }, body: { familyId: family.id } }),
    onSuccess: ({ name }) => {
      onClose();
      toastSuccess('Source added', `${name} is now in ${family.name}.`);
    },
    onSettled: () => refreshSources(queries),
  });
  return (
    <FormDialog
      opened
      onClose={onClose}
      onSubmit={() => source && add.mutate(source.id)}
      title={`Add a source to ${family.name}`}
      submitLabel="Add source"
      busy={add.isPending}
      invalid={!source}
    >
      <SourceSelect
        label="Source"
        exclude={family.sources.map(({ id }) => id)}
        value={source}
        onChange={(next) => {
          setSource(next);
          add.reset();
        }}
      />
      {source?.family && (
        <Text size="sm">
          <b>{source.name}</b> leaves the family <b>{source.family.name}</b>.
        </Text>
      )}
      <FormError error={add.error} />
    </FormDialog>
  );
}
