import classes from './home-page.module.css';

const steps = [
  {
    title: 'Sign in and search',
    text: 'Sign in with Google, or with a username and a password, and search the database.',
  },
  {
    title: 'Upload your backlinks',
    text: 'Upload the backlink CSV export of Ahrefs, Semrush, Moz, Majestic or Search Console.',
  },
  {
    title: 'Get your report',
    text: 'Get the toxicity report and export the harmful links for your disavow list.',
  },
];

export function HowItWorks() {
  return (
    <section className={classes.section} aria-labelledby="how-it-works">
      <h2 id="how-it-works" className={classes.heading}>
        How It Works
      </h2>
      <ol className={classes.steps}>
        {steps.map(({ title, text }, index) => (
          <li key={title}>
            <span className={classes.number} aria-hidden="true">
              {index + 1}
            </span>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
