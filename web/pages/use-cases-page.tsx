import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import frame from '../ui/public-page.module.css';
import page from './page.module.css';
import { GatedLink, publicHeads } from './pages.tsx';
import { type UseCase, useCases } from './use-cases.ts';
import classes from './use-cases-page.module.css';

/** Who uses the product for what, and where each of them begins. */
export function UseCasesPage() {
  const { title } = publicHeads[paths.useCases];
  useTitle(title);
  return (
    <div className={frame.page}>
      <div className={frame.head}>
        <h1>{title}</h1>
        <p className={frame.lead}>
          Five jobs that people do with a list of link sellers: three steps each, and the screen where they start.
        </p>
      </div>
      <div className={classes.cards}>
        {useCases.map((useCase) => (
          <UseCaseCard key={useCase.title} {...useCase} />
        ))}
        <div className={classes.last}>
          <h2>Something else in mind?</h2>
          <p>The list of features says what each part does and where its limits are.</p>
          <Link to={paths.features} className={page.more}>
            See all features
            <ArrowRight size={15} aria-hidden />
          </Link>
        </div>
      </div>
    </div>
  );
}

function UseCaseCard({ title, who, text, steps, to, words, read }: UseCase) {
  return (
    <article className={classes.card}>
      <p className={classes.who}>{who}</p>
      <h2>{title}</h2>
      <p>
        {text}
        {read && (
          <>
            {' '}
            Read <Link to={read.to}>{read.words}</Link>.
          </>
        )}
      </p>
      <ol>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <GatedLink to={to} className={page.more}>
        {words}
        <ArrowRight size={15} aria-hidden />
      </GatedLink>
    </article>
  );
}
