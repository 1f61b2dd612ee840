import { googleDisavowLimits } from '#shared/reports/disavow-files.ts';
import { formatCount } from '../../platform/format.ts';
import { ExternalLink } from '../../ui/external-link.tsx';
import panel from '../../ui/panel.module.css';
import styles from './disavow.module.css';
import { googleToolUrl } from './upload-file.tsx';

/** How to give the merged file to Google, and the limits of Google's tool. */
export function UploadSteps() {
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
