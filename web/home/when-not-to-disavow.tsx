import classes from './home-page.module.css';

/** Google's own page about the disavow tool. */
const googleAdvice = 'https://support.google.com/webmasters/answer/2648487';

/** What the report is not for: said before somebody harms a website with it. */
export function WhenNotToDisavow() {
  return (
    <section className={`${classes.section} ${classes.note}`} aria-labelledby="when-not-to-disavow">
      <h2 id="when-not-to-disavow" className={classes.heading}>
        When not to disavow
      </h2>
      <div>
        <p>
          Most websites never need to. Google says that it can tell in most cases which links to trust without help, and
          that its disavow tool is for two things together: a considerable number of spammy, artificial or low-quality
          links, and a manual action because of them, or one that is likely.{' '}
          <a href={googleAdvice} rel="noopener">
            Read Google's advice
          </a>
          .
        </p>
        <p>
          A listed domain is a reason to look, not a verdict. Lists contain mistakes: open the page, see whether the
          link was bought, ask for its removal first. Disavow what remains.
        </p>
      </div>
    </section>
  );
}
