import classes from './home-page.module.css';
import { SampleReport } from './sample-report.tsx';

const steps = [
  {
    title: 'Sign in with Google and search',
    text: 'Or with a username and a password, which takes a minute too. The whole database is open to you at once.',
  },
  {
    title: 'Upload the backlink CSV export',
    text: 'Of Ahrefs, Semrush, Moz, Majestic, Search Console or another tool. Columns, delimiter and encoding are recognised for you.',
  },
  {
    title: 'Get the toxicity report and export harmful links',
    text: 'Each harmful link with its risk level and the reason, as CSV for your own review or as a disavow file.',
  },
];

export function HowItWorks() {
  return (
    <section className={classes.section} aria-labelledby="how-it-works">
      <h2 id="how-it-works" className={classes.heading}>
        How It Works
      </h2>
      <div className={classes.beside}>
        <ol className={classes.steps}>
          {steps.map(({ title, text }, index) => (
            <li key={title}>
              <span className={classes.number} aria-hidden="true">
                {index + 1}
              </span>
              <div>
                <h3>{title}</h3>
                <p>{text}</p>
              </div>
            </li>
          ))}
        </ol>
        <SampleReport />
      </div>
    </section>
  );
}
