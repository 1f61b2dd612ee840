import { Group, Modal, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { type Analysis, answerQuestion, type UploadQuestion } from '#shared/reports/backlinks.ts';
import { paths } from '../../paths.ts';
import { ApiError, call } from '../../platform/api.ts';
import { Button } from '../../ui/button.tsx';
import { useLast } from '../../ui/dialogs.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { websitesQuery } from '../websites/websites.ts';
import { analysisQuery } from './screen.ts';
import styles from './upload-question.module.css';

interface UploadQuestionDialogProps {
  analysis: Analysis;
  opened: boolean;
  onClose(): void;
  /** The button that cancels the analysis. */
  cancelButton: ReactNode;
}

/** Asks what the files of a waiting analysis leave open. The analysis continues with the answer, without an upload. */
export function UploadQuestionDialog({ analysis, opened, onClose, cancelButton }: UploadQuestionDialogProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const messageId = useId();
  const question = useLast(analysis.question ?? undefined);
  const message = useLast(analysis.question ? analysis.message : undefined);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: { column: number } | { anyway: true } | { instead: true } | { merge: true }) =>
      call(answerQuestion, { params: { id: analysis.analysisId }, body }),
    onSuccess: async (_, body) => {
      if (!('merge' in body)) return;
      // A new website is hidden until then.
      await queries.invalidateQueries({ queryKey: websitesQuery.queryKey, refetchType: 'all' });
      void navigate({ to: paths.disavow, params: { id: String(analysis.profileId) } });
    },
    // The analysis may have ended at once, or have another question, or have been answered in another tab.
    onSettled: () => queries.invalidateQueries({ queryKey: analysisQuery(analysis.analysisId).queryKey }),
  });
  if (!question) return null;
  return (
    <Modal
      opened={opened && analysis.question !== null}
      onClose={onClose}
      title="Analyze Backlinks"
      size={question.about === 'column' ? 'xl' : 'lg'}
    >
      <Stack gap="md">
        <Text className={styles.message} id={messageId}>
          {message}
        </Text>
        {question.about === 'column' ? (
          <ColumnQuestion
            key={question.file}
            question={question}
            isPending={isPending}
            onAnswer={(column) => mutate({ column })}
            labelledBy={messageId}
            cancelButton={cancelButton}
          />
        ) : question.about === 'disavow' ? (
          <>
            <Text size="sm">
              {question.file} lists links that you have disavowed, so it is not analyzed. The disavow file is compared
              with your decisions, and you download the merged file.
            </Text>
            <Group justify="flex-end" gap="sm">
              {cancelButton}
              <Button loading={isPending} onClick={() => mutate({ merge: true })} data-autofocus>
                Merge
              </Button>
            </Group>
          </>
        ) : (
          <>
            <Text size="sm">
              The first links in {question.file} point to {question.site}.
            </Text>
            <Group justify="flex-end" gap="sm">
              {cancelButton}
              <Button variant="default" loading={isPending} onClick={() => mutate({ anyway: true })}>
                Analyze anyway
              </Button>
              {/* Links to several sites belong to none of them. */}
              {!question.site.includes(' ') && (
                <Button loading={isPending} onClick={() => mutate({ instead: true })} data-autofocus>
                  Analyze for {question.site} instead
                </Button>
              )}
            </Group>
          </>
        )}
        {/* An answer is refused with 409 if the analysis no longer waits. Its progress then says why. */}
        {!(error instanceof ApiError && error.status === 409) && <FormError error={error} />}
      </Stack>
    </Modal>
  );
}

interface ColumnQuestionProps {
  question: Extract<UploadQuestion, { about: 'column' }>;
  isPending: boolean;
  onAnswer(column: number): void;
  /** The id of the question. */
  labelledBy: string;
  cancelButton: ReactNode;
}

/** The first rows of a file, with a radio button for each column. */
function ColumnQuestion({
  question: { columns, rows },
  isPending,
  onAnswer,
  labelledBy,
  cancelButton,
}: ColumnQuestionProps) {
  const [chosen, setChosen] = useState<number>();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen !== undefined && !isPending) onAnswer(chosen);
      }}
    >
      <Stack gap="md">
        <Text size="sm">These are the first rows of the file.</Text>
        <fieldset aria-labelledby={labelledBy}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
          <section className={styles.scroll} aria-label="First rows, scrollable" tabIndex={0}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  {columns.map((name, column) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a column is its position, and names may repeat
                    <Table.Th key={column} data-chosen={column === chosen || undefined}>
                      <label className={styles.column}>
                        <input
                          type="radio"
                          name="column"
                          data-autofocus={column === 0 || undefined}
                          checked={column === chosen}
                          onChange={() => setChosen(column)}
                        />
                        {name || `Column ${column + 1}`}
                      </label>
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map((cells, row) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key and never move
                  <Table.Tr key={row}>
                    {columns.map((_, column) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: a column is its position, and names may repeat
                      <Table.Td key={column} data-chosen={column === chosen || undefined}>
                        <div className={styles.cell} title={cells[column]}>
                          {cells[column]}
                        </div>
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </section>
        </fieldset>
        <Group justify="flex-end" gap="sm">
          {cancelButton}
          <Button type="submit" loading={isPending} disabled={chosen === undefined}>
            Analyze
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
