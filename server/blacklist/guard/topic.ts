import { ofBlacklist, type Topic } from '../../topic.ts';

export const guardTopic: Topic = {
  tables: {
    site_rules: {
      kept: ofBlacklist,
      exported: { not: 'Rules of the installation.' },
      afterDeletion: 'Rules stay, without their author.',
    },
  },
};
