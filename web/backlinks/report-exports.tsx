import { Group, List, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { FileX2 } from 'lucide-react';
import { exportDisavow, exportHarmfulBacklinks, type Report } from '#shared/reports.ts';
import { buildUrl } from '../lib/api.ts';
import { Button } from '../ui/button.tsx';
import { DownloadButton } from '../ui/download-button.tsx';

const started = 'Your download will start shortly.';

/** The two exports of a report: its harmful backlinks as CSV, and a file for Google's disavow tool. */
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

/** What to check before using a disavow file, and the download. */
function DisavowDialog({ report, opened, onClose }: { report: Report; opened: boolean; onClose(): void }) {
  return (
    <Modal stackId="disavow" opened={opened} onClose={onClose} title="Disavow file" size="md">
      <Text size="sm">
        A text file for Google's disavow tool. It has one <b>domain:</b> line for each harmful domain that links to{' '}
        {report.domain}.
      </Text>
      <List size="sm" mt="sm" spacing={6}>
        <List.Item>
          Google recommends disavowing links only if paid or spammy links have caused a manual action, or are likely to.
          Most websites never need it.
        </List.Item>
        <List.Item>
          Each upload <b>replaces</b> your previous list at Google. Copy your earlier entries into this file first.
        </List.Item>
        <List.Item>A blacklist can be wrong. Review the domains and remove any that you trust.</List.Item>
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
