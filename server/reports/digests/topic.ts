import { ofOwner, type Topic } from '../../topic.ts';
import { runDigestCommand } from './commands.ts';
import { digestJob, refusedMailJob, reminderJob } from './jobs.ts';
import { resumeDigests } from './queries.ts';
import { digestRoutes } from './routes.ts';

export const digestsTopic: Topic = {
  routes: [digestRoutes],
  jobs: [digestJob, reminderJob, refusedMailJob],
  commands: { digests: (context) => runDigestCommand(context) },
  personalData: { changeEmail: (trx, userId) => resumeDigests(trx, userId) },
  tables: {
    alert_settings: {
      kept: ofOwner,
      exported: {
        not: 'When digests were last sent, and the version of the feed. Watches say whether email is paused.',
      },
    },
  },
};
