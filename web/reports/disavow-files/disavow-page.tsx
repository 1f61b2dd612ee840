import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { googleDisavowLimits } from '#shared/reports/disavow-files.ts';
import type { Website } from '#shared/reports/websites.ts';
import { paths } from '../../paths.ts';
import { formatCount } from '../../platform/format.ts';
import { useListUrl } from '../../platform/use-list-url.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ExternalLink } from '../../ui/external-link.tsx';
import panel from '../../ui/panel.module.css';
import { QueryState } from '../../ui/query-state.tsx';
import { Screen, TextLink } from '../../ui/screen.tsx';
import { Removals } from '../decisions/removals.tsx';
import { websitesQuery } from '../websites/websites.ts';
import { CurrentFile } from './current-file.tsx';
import styles from './disavow.module.css';
import { FileHistory } from './file-history.tsx';
import { filesQuery } from './queries.ts';
import { DisavowQuestions } from './questions.tsx';
import { disavowSearch } from './search.ts';
import { googleToolUrl, UploadFile } from './upload-file.tsx';

/** Builds the disavow file of a website from the file in use and the decisions about its links. */
export function DisavowPage() {
  const websiteId = Number(useLocation().pathname.split('/').at(-2));
  const websites = useQuery(websitesQuery);
  const website = websites.data?.find(({ id }) => id === websiteId);
  return (
    <Screen
      title={website ? `Disavow file of ${website.domain}` : 'Disavow file'}
      {...(website && {
        heading: (
          <>
            Disavow file of <span data-mono>{website.domain}</span>
          </>
        ),
      })}
      lead="Merge the file that Google uses now with your decisions, and take back domains that should not be in it."
    >
      {website ? (
        <LoadedPage key={websiteId} website={website} />
      ) : !websites.data ? (
        <QueryState query={websites} height={400} />
      ) : (
        <EmptyState title="Website not found" description="It may have been deleted, or it belongs to another account.">
          <ButtonLink variant="default" to={paths.riskAssessment} search={{ tab: 'reports' }}>
            All websites
          </ButtonLink>
        </EmptyState>
      )}
    </Screen>
  );
}

function LoadedPage({ website }: { website: Website }) {
  const listUrl = useListUrl(disavowSearch);
  const files = useQuery(filesQuery(website.id));
  if (!files.data) return <QueryState query={files} height={400} />;
  const current = files.data.find(({ id }) => id === listUrl.search.file) ?? files.data[0];
  const showFile = (id: number | undefined) =>
    listUrl.show({ file: id, status: undefined, search: undefined }, listUrl.search.file === undefined);
  return (
    <Stack gap="lg">
      <div className={styles.links}>
        {website.lastReport && (
          <TextLink to={paths.report} params={{ id: String(website.lastReport.id) }} size="sm">
            Newest report
          </TextLink>
        )}
        <TextLink to={paths.riskAssessment} search={{ tab: 'reports', profile: website.id }} size="sm">
          All reports of this website
        </TextLink>
      </div>
      {current && <CurrentFile key={current.id} website={website} file={current} listUrl={listUrl} />}
      <UploadFile websiteId={website.id} hasFiles={files.data.length > 0} onUploaded={(id) => void showFile(id)} />
      <Removals website={website} />
      {current && <UploadSteps />}
      <DisavowQuestions website={website} />
      {current && (
        <FileHistory
          websiteId={website.id}
          files={files.data}
          currentId={current.id}
          onShow={(id) => void showFile(id)}
        />
      )}
    </Stack>
  );
}

/** How to give the merged file to Google, and the limits of Google's tool. */
function UploadSteps() {
  const { lines, bytes } = googleDisavowLimits;
  return (
    <section className={panel.panel} aria-labelledby="upload-steps">
      <h2 id="upload-steps" className={styles.title}>
        Upload the file to Google
      </h2>
      <ol className={styles.steps}>
        <li>Download the merged file above and read it once more.</li>
        <li>
          Open <ExternalLink href={googleToolUrl}>Google's disavow tool</ExternalLink> and select the website. The tool
          needs a URL-prefix property. If you have one for http and one for https, upload the file to both.
        </li>
        <li>Choose “Upload disavow list”, or “Replace” if there is a list already, and select the file.</li>
        <li>
          Google reports errors at once, but needs several weeks to process the list, because it must crawl the pages
          again.
        </li>
        <li>Next month, upload the new list from Google here and merge again.</li>
      </ol>
      <p className={styles.quiet}>
        Google accepts up to {formatCount(lines)} lines, comments and blank lines included, and {bytes / 1_000_000} MB.
        Links from a domain that you take back count again after Google crawls the pages.
      </p>
    </section>
  );
}
