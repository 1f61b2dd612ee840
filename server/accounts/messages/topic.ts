import { readPages } from '../../personal-data.ts';
import { type Topic, withParent } from '../../topic.ts';
import { failedReplyJob } from './jobs.ts';
import { eraseUserFromMessages, listMessagesOfUser } from './messages.ts';
import { messageRoutes } from './routes.ts';
import { messageRetention } from './store-retention.ts';

export const messagesTopic: Topic = {
  routes: [messageRoutes],
  jobs: [failedReplyJob],
  retention: [messageRetention],
  tables: {
    messages: { exported: 'messages' },
    message_replies: { kept: withParent, exported: 'messages' },
  },
  personalData: {
    fields: {
      messages: ({ db }, { id }) => readPages<number>((after = 0, limit) => listMessagesOfUser(db, id, after, limit)),
    },
    erase: ({ db }, { id }, { deletedUsername }) => eraseUserFromMessages(db, id, deletedUsername),
  },
};
