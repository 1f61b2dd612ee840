import { Group, List, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { FileX2 } from 'lucide-react';
import { exportDisavow, exportHarmfulBacklinks, type Report } from '#shared/reports.ts';
import { buildUrl } from '../lib/api.ts';
import { Button } from '../ui/button.tsx';
import { DownloadButton } from '../ui/download-button.tsx';

const started = 'The file is saved as soon as it is ready.';

/** The two ways to take a report's harmful entries along: the CSV, and the file for Google's disavow tool. */
export function ReportExports({ report }: { report: Report }) {
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <DownloadButton
        variant="default"
        size="xs"
        url={buildUrl(exportHarmfulBacklinks, { id: report.id })}
        started={started}
      >
        Export
      </DownloadButton>
      <Button variant="default" size="xs" leftSection={<FileX2 size={14} aria-hidden />} onClick={dialog.open}>
        Disavow file
      </Button>
      <DisavowDialog report={report} opened={opened} onClose={dialog.close} />
    </>
  );
}

/** What to know before a disavow file is used, and the file. */
function DisavowDialog({ report, opened, onClose }: { report: Report; opened: boolean; onClose(): void }) {
  return (
    <Modal stackId="disavow" opened={opened} onClose={onClose} title="Disavow file" size="md">
      <Text size="sm">
        A text file for Google's disavow tool with one <b>domain:</b> line for each harmful domain of {report.domain}.
      </Text>
      <List size="sm" mt="sm" spacing={6}>
        <List.Item>
          Google itself advises to disavow only rarely: when paid or spammy links have led to a manual action, or are
          likely to. Most websites never need it.
        </List.Item>
        <List.Item>
          An upload <b>replaces</b> the list that you uploaded before. Copy your earlier entries into this file first.
        </List.Item>
        <List.Item>A blacklist can be wrong. Read through the domains, and remove those that you trust.</List.Item>
      </List>
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <DownloadButton url={buildUrl(exportDisavow, { id: report.id })} started={started}>
          Download
        </DownloadButton>
      </Group>
    </Modal>
  );
}
