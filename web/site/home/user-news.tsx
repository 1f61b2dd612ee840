import { useQuery } from '@tanstack/react-query';
import { paths } from '../../paths.ts';
import { WhatIsNew } from '../../reports/backlinks/websites/what-is-new.tsx';
import { websitesQuery } from '../../reports/websites/websites.ts';
import { TextLink } from '../../ui/screen.tsx';
import styles from './hero.module.css';
import { SampleReport } from './sample-report.tsx';

/** What is new for a user with websites; for others, what a report looks like. */
export function UserNews() {
  const websites = useQuery(websitesQuery);
  if (websites.isPending) return <div className={styles.news} data-waiting />;
  if (!websites.data?.length) return <SampleReport />;
  return (
    <div className={styles.news}>
      <div className={styles.newsHead}>
        <h2>What is new</h2>
        <TextLink to={paths.riskAssessment} size="sm">
          All websites
        </TextLink>
      </div>
      <WhatIsNew websites={websites.data} />
    </div>
  );
}
