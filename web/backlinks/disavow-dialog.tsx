import { Group, List, Modal, Text } from '@mantine/core';
import { Download } from 'lucide-react';
import { exportDisavow, type Report } from '#shared/reports.ts';
import { urlOf } from '../lib/api.ts';
import { Button } from '../ui/button.tsx';
import { useReportExport } from './report-exports.tsx';

/** What to know before a disavow file is used, and the file. */
export function DisavowDialog({ report, opened, onClose }: { report: Report; opened: boolean; onClose(): void }) {
  const save = useReportExport();
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
        <Button
          leftSection={<Download size={16} aria-hidden />}
          loading={save.isPending}
          onClick={() => save.mutate(urlOf(exportDisavow, { id: report.id }))}
        >
          Download
        </Button>
      </Group>
    </Modal>
  );
}
