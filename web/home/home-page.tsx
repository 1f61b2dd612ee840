import { useTitle } from '../lib/use-title.ts';
import { publicHeads } from '../pages/pages.tsx';
import { paths } from '../paths.ts';
import { FeatureCards } from './feature-cards.tsx';
import { Hero } from './hero.tsx';
import classes from './home-page.module.css';
import { HowItWorks } from './how-it-works.tsx';
import { StatsStrip } from './stats-strip.tsx';
import { WhenNotToDisavow } from './when-not-to-disavow.tsx';
import { WhyUse } from './why-use.tsx';

/** What the product is, for people who have not seen it; the way in for those who have. */
export function HomePage() {
  useTitle(publicHeads[paths.home].title);
  return (
    <div className={classes.page}>
      <Hero />
      <StatsStrip />
      <FeatureCards />
      <HowItWorks />
      <WhyUse />
      <WhenNotToDisavow />
    </div>
  );
}
