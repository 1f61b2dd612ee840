import { Clock, Gift, type LucideIcon, Shield, TrendingUp } from 'lucide-react';
import classes from './home-page.module.css';

const reasons: { Icon: LucideIcon; title: string; text: string }[] = [
  {
    Icon: Shield,
    title: 'Protect rankings',
    text: 'Bought links are against the spam policies of search engines. Know which of yours come from sellers before a reviewer tells you.',
  },
  {
    Icon: Clock,
    title: 'Save time',
    text: 'One upload compares every linking domain with the blacklist. Nobody opens ten thousand pages by hand.',
  },
  {
    Icon: TrendingUp,
    title: 'Monitor progress',
    text: 'Reports stay with your website. Upload again next month and see whether the share of harmful domains went down.',
  },
  {
    Icon: Gift,
    title: 'Free access',
    text: 'There is one plan, Full Access, and everybody has it: every feature, no price, no card.',
  },
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
