import { Link } from '@tanstack/react-router';
import { ArrowRight, Check } from 'lucide-react';
import { BySession } from '../lib/by-session.tsx';
import { GatedLink } from '../lib/gated-link.tsx';
import { publicHeads } from '../lib/public-heads.ts';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import frame from '../ui/public-page.module.css';
import { advancedFeatures, coreFeatures, type Feature, fullAccess } from './features.ts';
import { featuresFaq } from './features-faq.ts';
import classes from './features-page.module.css';
import page from './page.module.css';
import { Section } from './section.tsx';

/** Everything that the product does, its limits, and answers to what people ask first. */
export function FeaturesPage() {
  const { title } = publicHeads[paths.features];
  useTitle(title);
  return (
    <div className={frame.page}>
      <div className={frame.head}>
        <h1>{title}</h1>
        <p className={frame.lead}>
          A database of domains known or suspected to sell backlinks, and a report that finds them among your own links.
          What each part does, and where it ends.
        </p>
        <div className={`${page.buttons} ${classes.buttons}`}>
          <MainButton />
          <ButtonLink to={paths.useCases} size="md" variant="default">
            See use cases
          </ButtonLink>
        </div>
      </div>
      <Section id="core" title="Core features" aside={<p>What most people come for.</p>}>
        <FeatureGrid features={coreFeatures} />
      </Section>
      <Section id="advanced" title="Advanced features" aside={<p>What large files, agencies and programs need.</p>}>
        <FeatureGrid features={advancedFeatures} />
      </Section>
      <Section id="free-access" title="Free access" aside={<p>One plan for everybody, with nothing held back.</p>}>
        <FreeAccess />
      </Section>
      <Section
        id="questions"
        title="Frequently asked questions"
        aside={
          <p>
            Not here? <Link to={paths.contact}>Ask us</Link>.
          </p>
        }
      >
        <div className={page.grid}>
          {featuresFaq.map(({ question, answer, read }) => (
            <div key={question}>
              <h3>{question}</h3>
              <p>
                {answer}
                {read && (
                  <>
                    {' '}
                    <Link to={read.to}>{read.words}</Link>.
                  </>
                )}
              </p>
            </div>
          ))}
        </div>
      </Section>
    </div>
  );
}

function MainButton() {
  return (
    <BySession
      visitor={
        <div className={classes.ways}>
          <ButtonLink to={paths.auth} size="md">
            Sign in with Gmail
          </ButtonLink>
          <small>or with a username and a password</small>
        </div>
      }
      user={
        <ButtonLink to={paths.account} size="md">
          Go to Dashboard
        </ButtonLink>
      }
    />
  );
}

function FeatureGrid({ features }: { features: readonly Feature[] }) {
  return (
    <div className={page.grid}>
      {features.map(({ title, text, link, read }) => (
        <div key={title}>
          <h3>{title}</h3>
          <p>{text}</p>
          {link && (
            <GatedLink to={link.to} className={page.more}>
              {link.words}
              <ArrowRight size={15} aria-hidden />
            </GatedLink>
          )}
          {read && (
            <Link to={read.to} className={page.more}>
              {read.words}
              <ArrowRight size={15} aria-hidden />
            </Link>
          )}
        </div>
      ))}
    </div>
  );
}

function FreeAccess() {
  return (
    <div className={classes.card}>
      <div className={classes.plan}>
        <h3>Full Access</h3>
        <p className={classes.price}>
          $0 <span>forever</span>
        </p>
        <MainButton />
      </div>
      <ul className={classes.limits}>
        {fullAccess.map((limit) => (
          <li key={limit}>
            <Check size={16} aria-hidden />
            {limit}
          </li>
        ))}
      </ul>
    </div>
  );
}
