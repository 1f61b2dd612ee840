import { Group, Modal, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { DateText } from '../ui/date-text.tsx';
import { ReportSkeleton } from './analyzer-result.tsx';
import { reportQuery } from './queries.ts';
import { ReportProblem } from './report-problem.tsx';
import { ReportView } from './report-view.tsx';
import { useScreen } from './use-screen.ts';

/** Report Details: the report that the address names, until it is closed. A dialog on top of it is closed first. */
export function ReportDialog({ reportId }: { reportId: number | undefined }) {
  const { go } = useScreen();
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  // The report stays while the dialog fades out.
  const shown = useRef(reportId);
  if (reportId !== undefined) shown.current = reportId;
  const close = () => go({ report: undefined, page: undefined, risk: undefined });
  return (
    <Modal.Stack>
      <Modal
        stackId="report"
        opened={reportId !== undefined}
        onClose={close}
        title="Report Details"
        size={1080}
        fullScreen={isNarrow}
        centered={false}
      >
        {shown.current !== undefined && <Details id={shown.current} onLeave={close} />}
      </Modal>
    </Modal.Stack>
  );
}

function Details({ id, onLeave }: { id: number; onLeave(): void }) {
  const report = useQuery(reportQuery(id));
  if (report.isError)
    return <ReportProblem error={report.error} onRetry={() => void report.refetch()} onLeave={onLeave} />;
  if (!report.data) return <ReportSkeleton />;
  return (
    <>
      <Group gap="xs" mb="md">
        <Text fw={600}>{report.data.domain}</Text>
        <Text size="sm" c="dimmed">
          Analyzed <DateText value={report.data.dateCreated} pattern="time" />
        </Text>
      </Group>
      <ReportView report={report.data} />
    </>
  );
}
