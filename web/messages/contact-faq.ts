/** Also told to search engines (web/head.ts). */
export const contactFaq: readonly { question: string; answer: string }[] = [
  {
    question: 'How quickly will I hear back?',
    answer: 'We answer within 24 hours on business days. Messages that come in at a weekend are answered on Monday.',
  },
  {
    question: 'Do you offer technical support?',
    answer:
      'Yes. If an export is not read, a report looks wrong or a download fails, write to us. Say which tool the file comes from and what you see on the screen, and we look into it.',
  },
  {
    question: 'Can I suggest a feature?',
    answer: 'Yes, feature requests are welcome. Tell us what you want to get done rather than which button you miss.',
  },
  {
    question: 'Can you help me to clean up my backlinks?',
    answer:
      'We are connected with experienced SEO experts who take on consulting: audits, disavow files and recovery after a penalty. Describe your website and your situation, and we put you in touch.',
  },
];
