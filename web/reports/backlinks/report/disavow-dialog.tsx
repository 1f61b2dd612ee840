import { Group, List, Modal, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { countOfRisk, type RiskCounts, type RiskLevel, riskLevels, sumRiskCounts } from '#shared/blacklist/domains.ts';
import {
  buildDisavow,
  listToxicDomains,
  maxExcludedDomains,
  type Report,
  type ToxicDomain,
} from '#shared/reports/reports.ts';
import { RiskBadge, riskLabels } from '../../../blacklist/domains/domains.tsx';
import { paths } from '../../../paths.ts';
import { buildUrl, call } from '../../../platform/api.ts';
import { formatCount, plural } from '../../../platform/format.ts';
import { Button } from '../../../ui/button.tsx';
import { FocusedTitle } from '../../../ui/dialogs.tsx';
import { DownloadButton } from '../../../ui/download-button.tsx';
import { Checkbox } from '../../../ui/fields.tsx';
import { ListSearch } from '../../../ui/list-search.tsx';
import { Pagination } from '../../../ui/pagination.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { TextLink } from '../../../ui/screen.tsx';
import { Hint, Strong } from '../../../ui/typography.ts';
import { exportStarted, protectedDomainsQuery } from '../screen.ts';
import styles from './disavow-dialog.module.css';
import type { ReportSearch } from './search.ts';

interface DisavowDialogProps {
  report: Report;
  /** The filters of the report's list: which levels are selected at first, and whether lost links count. */
  filter: Pick<ReportSearch, 'lost' | 'riskLevel'>;
  opened: boolean;
  onClose(): void;
}

/** What to check before using a disavow file, the choice of its domains, and the download. */
export function DisavowDialog({ report, filter: { lost, riskLevel }, opened, onClose }: DisavowDialogProps) {
  const [list, setList] = useState<{ page: number; search?: string | undefined }>({ page: 0 });
  const [levels, setLevels] = useState<readonly RiskLevel[]>(riskLevel ? [riskLevel] : riskLevels);
  const [excluded, setExcluded] = useState<ReadonlyMap<string, RiskLevel>>(new Map());
  const query = useQuery({
    queryKey: ['reports', 'domains', report.id, list, lost],
    queryFn: ({ signal }) =>
      call(listToxicDomains, { params: { id: report.id }, query: { ...list, lost, pageSize: 50 }, signal }),
    placeholderData: keepPreviousData,
    enabled: opened,
  });
  const { data } = query;
  const protectedDomains = useQuery({ ...protectedDomainsQuery(report.id, lost), enabled: opened }).data;
  const reasons = new Map(protectedDomains?.domains.map(({ domain, reason }) => [domain, reason]));
  const protectedCount = protectedDomains ? countSelected(protectedDomains.riskCounts, levels, new Map()) : 0;
  const selected = data && countSelected(data.riskCounts, levels, excluded) - protectedCount;
  const total = data && countSelected(data.riskCounts, riskLevels, new Map());

  function toggleLevel(level: RiskLevel, isSelected: boolean): void {
    setLevels(isSelected ? [...levels, level] : levels.filter((other) => other !== level));
  }

  function toggleDomain({ domain, riskLevel }: ToxicDomain, isSelected: boolean): void {
    const changed = new Map(excluded);
    if (isSelected) changed.delete(domain);
    else changed.set(domain, riskLevel);
    setExcluded(changed);
  }

  return (
    <Modal
      stackId="disavow"
      opened={opened}
      onClose={onClose}
      title={<FocusedTitle>Disavow file</FocusedTitle>}
      size="lg"
    >
      <Stack gap="md">
        <div>
          <Text size="sm">
            A text file for Google's disavow tool. It has one <b>domain:</b> line for each selected domain that links to{' '}
            {report.domain}. The line covers all subdomains, so a selected domain below another one gets no line.
          </Text>
          <List size="sm" spacing={6} className={styles.advice}>
            <List.Item>
              Google recommends disavowing links only if paid or spammy links have caused a manual action, or are likely
              to. Most websites never need it.
            </List.Item>
            <List.Item>
              Each upload <b>replaces</b> your previous list at Google.{' '}
              <TextLink inherit to={paths.disavow} params={{ id: String(report.profileId) }}>
                Merge it with the file in use
              </TextLink>{' '}
              instead if you have one.
            </List.Item>
            <List.Item>A blacklist can be wrong. Review the domains and deselect any that you trust.</List.Item>
          </List>
        </div>
        {!data && <QueryState query={query} height={320} title="Error Loading Report" />}
        {data && (
          <>
            <fieldset className={styles.levels}>
              <legend>Risk levels</legend>
              {riskLevels.toReversed().map((level) => (
                <Checkbox
                  key={level}
                  label={`${riskLabels[level]} (${formatCount(countOfRisk(data.riskCounts, level))})`}
                  checked={levels.includes(level)}
                  onChange={(event) => toggleLevel(level, event.currentTarget.checked)}
                />
              ))}
            </fieldset>
            {total !== undefined && total > data.pagination.pageSize && (
              <Group>
                <ListSearch
                  label="Search domains"
                  value={list.search}
                  maxLength={253}
                  onApply={(search) => setList({ page: 0, search })}
                />
              </Group>
            )}
            {protectedCount > 0 && <Text size="sm">{protectedText(protectedCount)}</Text>}
            {data.domains.length === 0 ? (
              <Hint size="md" className={styles.none}>
                No matching domains.
              </Hint>
            ) : (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
              <section className={styles.scroll} aria-label="Domains, scrollable" tabIndex={0}>
                <ul className={styles.domains}>
                  {data.domains.map((entry) => (
                    <li key={entry.domain}>
                      <Checkbox
                        className={styles.domain}
                        label={entry.domain}
                        checked={
                          levels.includes(entry.riskLevel) && !excluded.has(entry.domain) && !reasons.has(entry.domain)
                        }
                        disabled={!levels.includes(entry.riskLevel) || reasons.has(entry.domain)}
                        onChange={(event) => toggleDomain(entry, event.currentTarget.checked)}
                      />
                      <span className={styles.backlinks}>{plural(entry.backlinks, 'backlink')}</span>
                      <RiskBadge level={entry.riskLevel} />
                      {reasons.has(entry.domain) && <span className={styles.reason}>{reasons.get(entry.domain)}</span>}
                    </li>
                  ))}
                </ul>
              </section>
            )}
            <Pagination
              page={list.page}
              pageSize={data.pagination.pageSize}
              total={data.pagination.total}
              onChange={(page) => setList({ ...list, page })}
              label="Pages of domains"
            />
          </>
        )}
        <Group justify="space-between" gap="sm">
          <Strong role="status">
            {selected !== undefined &&
              total !== undefined &&
              `${formatCount(selected)} of ${plural(total, 'domain')} selected`}
          </Strong>
          <Group gap="sm">
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <DownloadButton
              url={buildUrl(buildDisavow, { id: report.id })}
              body={{ riskLevels: levels, exclude: [...excluded.keys()], ...(lost && { lost }) }}
              started={exportStarted}
              disabled={!selected || excluded.size > maxExcludedDomains}
            >
              Download
            </DownloadButton>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}

/** '2 domains are left out because ...' */
export function protectedText(count: number): string {
  return count === 1
    ? '1 domain is left out because you keep it, or because it is protected: a well-known site, a public institution, or a site that an admin protects. The list shows the reason.'
    : `${formatCount(count)} domains are left out because you keep them, or because they are protected: well-known sites, public institutions, or sites that an admin protects. The list shows the reasons.`;
}

/** The number of domains at these levels that are not excluded. */
export function countSelected(
  counts: RiskCounts,
  levels: readonly RiskLevel[],
  excluded: ReadonlyMap<string, RiskLevel>,
): number {
  const excludedCount = [...excluded.values()].filter((level) => levels.includes(level)).length;
  return sumRiskCounts(counts, levels) - excludedCount;
}
