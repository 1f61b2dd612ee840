import { Clock, Gift, type LucideIcon, Shield, TrendingUp } from 'lucide-react';
import classes from './home-page.module.css';

const reasons: { Icon: LucideIcon; title: string; text: string }[] = [
  {
    Icon: Shield,
    title: 'Protect rankings',
    text: 'Find links from sellers before a search engine counts them against you.',
  },
  { Icon: Clock, title: 'Save time', text: 'One upload compares every linking domain with the blacklist.' },
  { Icon: TrendingUp, title: 'Monitor progress', text: 'Keep the reports of each website and see which way it goes.' },
  { Icon: Gift, title: 'Free access', text: 'Everybody has Full Access: every feature, without a price.' },
];

export function WhyUse() {
  return (
    <section className={classes.section} aria-labelledby="why-use">
      <h2 id="why-use" className={classes.heading}>
        Why use Linksieve
      </h2>
      <ul className={classes.reasons}>
        {reasons.map(({ Icon, title, text }) => (
          <li key={title}>
            <Icon size={20} strokeWidth={1.75} aria-hidden className={classes.icon} />
            <div>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
