import { Group, Modal, Select, Stack, Tabs, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { maxUploadFiles } from '#shared/reports/backlinks.ts';
import { Button } from '../../ui/button.tsx';
import { selectLook } from '../../ui/fields.tsx';
import { FilePicker } from '../../ui/file-picker.tsx';
import { RunFailure } from '../../ui/run-progress.tsx';
import tabs from '../../ui/screen.module.css';
import { toastError } from '../../ui/toast.tsx';
import { Hint } from '../../ui/typography.ts';
import { websitesQuery } from '../websites/websites.ts';
import {
  type AnalysisDraft,
  acceptedFiles,
  adviceFor,
  findFilesProblem,
  getWebsiteDomain,
  isComplete,
  type StartProblem,
  toWebsiteDomain,
  type useStartAnalysis,
} from './start-analysis.ts';

interface AnalyzeDialogProps {
  opened: boolean;
  onClose(): void;
  draft: AnalysisDraft;
  onDraftChange(draft: AnalysisDraft): void;
  starter: ReturnType<typeof useStartAnalysis>;
}

/** The dialog that starts an analysis of files for a website. It opens again if the upload fails. */
export function AnalyzeDialog({ opened, onClose, draft, onDraftChange, starter }: AnalyzeDialogProps) {
  const { data: websites = [] } = useQuery(websitesQuery);
  const { isBusy, problem } = starter;
  const filesProblem = findFilesProblem(draft.files);
  const website = getWebsiteDomain(draft, websites);

  function change(part: Partial<AnalysisDraft>): void {
    starter.clearProblem();
    onDraftChange({ ...draft, ...part });
  }

  function submit(): void {
    if (website === '') {
      toastError('Domain Required', 'Please enter a domain name for your website profile');
      return;
    }
    starter.start(draft);
  }

  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Analyze Backlinks"
      size="lg"
      closeOnClickOutside={!isBusy}
      closeOnEscape={!isBusy}
      withCloseButton={!isBusy}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap="md">
          <Tabs value={draft.mode} onChange={(mode) => change({ mode: mode === 'existing' ? 'existing' : 'new' })}>
            <Tabs.List grow>
              <Tabs.Tab value="new" disabled={isBusy}>
                New Website
              </Tabs.Tab>
              <Tabs.Tab value="existing" disabled={isBusy}>
                Existing Website
              </Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="new" className={tabs.panel}>
              <TextInput
                label="Website domain"
                description="The website whose backlinks you exported, without http:// or www."
                placeholder="example.com"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                inputMode="url"
                data-autofocus
                disabled={isBusy}
                value={draft.domain}
                onChange={(event) => change({ domain: event.currentTarget.value })}
                onBlur={() => onDraftChange({ ...draft, domain: toWebsiteDomain(draft.domain) || draft.domain })}
                error={problem?.at === 'website' && problem.error.status !== 409 ? problem.error.message : undefined}
              />
            </Tabs.Panel>
            <Tabs.Panel value="existing" className={tabs.panel}>
              <Select
                {...selectLook}
                label="Website"
                description="The new report is added to this website's reports."
                placeholder={websites.length === 0 ? 'No Website Profiles' : 'Choose a website'}
                data={websites.map(({ id, domain }) => ({ value: String(id), label: domain }))}
                value={draft.websiteId === null ? null : String(draft.websiteId)}
                onChange={(id) => change({ websiteId: id === null ? null : Number(id) })}
                searchable={websites.length > 8}
                nothingFoundMessage="No matching websites"
                disabled={isBusy || websites.length === 0}
                allowDeselect={false}
              />
            </Tabs.Panel>
          </Tabs>
          <FilePicker
            files={draft.files}
            onChange={(files) => change({ files })}
            label="Choose backlink exports"
            hint={`CSV, TXT, Excel, OpenDocument, zip or gz from Ahrefs, Semrush, Moz, Majestic, Search Console and others. Up to ${maxUploadFiles} files and 200 MB.`}
            accept={acceptedFiles}
            multiple
            error={filesProblem}
            disabled={isBusy}
          />
          {problem && (
            <StartProblemAlert
              problem={problem}
              website={website}
              onUseExisting={(websiteId) => change({ mode: 'existing', websiteId })}
            />
          )}
          {isBusy && (
            <Hint role="status">
              {starter.step === 'creating'
                ? `Adding ${website} to your websites...`
                : `${website} was added. Starting the analysis...`}
            </Hint>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={isBusy ? starter.cancel : onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isComplete(draft) || filesProblem !== undefined || isBusy}>
              {isBusy ? 'Analyzing...' : 'Analyze'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface StartProblemAlertProps {
  problem: StartProblem;
  website: string;
  onUseExisting(websiteId: number): void;
}

/** The server's error message with advice. Invalid domain names are shown under the domain field instead. */
function StartProblemAlert({ problem, website, onUseExisting }: StartProblemAlertProps) {
  const { at, error, existingProfileId } = problem;
  if (at === 'website' && error.status !== 409 && error.status !== 0) return null;
  const title =
    at === 'file' ? 'Analysis Failed' : error.status === 409 ? 'Domain Already Exists' : 'Error Creating Profile';
  if (existingProfileId === undefined) {
    return <RunFailure title={title} reason={error.message} advice={at === 'file' ? adviceFor(error) : undefined} />;
  }
  return (
    <RunFailure
      title={title}
      reason={error.message}
      advice={`${website} is already one of your websites. You can add the new report to it.`}
    >
      <Button size="xs" variant="default" onClick={() => onUseExisting(existingProfileId)}>
        Use {website}
      </Button>
    </RunFailure>
  );
}
