/** Payment links on the applicant's payment page. */
export const paymentLinks = {
  title: 'Does somebody pay for you?',
  text: 'Send your parents a link to this bill. They see your initials, the study programme, the amount and how to pay, and need no account.',
  make: 'Make a link',
  whatsapp: 'Send by WhatsApp',
  address: 'Link to this bill',
  copyAddress: 'Copy the link',
  /** Kind of bill inside the sentence. */
  kind: { registration_fee: 'registration fee', re_registration: 're-registration fee' },
  message:
    'This is {{name}}. Please help me pay my {{kind}} at {{university}}: {{amount}} before {{due}}. The link shows how, without an account: {{url}}',
  messageAnytime:
    'This is {{name}}. Please help me pay my {{kind}} at {{university}}: {{amount}}. The link shows how, without an account: {{url}}',
  made: 'Made {{time}}',
  notOpened: 'Not opened yet',
  opened_one: 'Opened {{time}}',
  opened_other: 'Opened {{count}} times, last {{time}}',
  paid: 'Paid. The link now shows the receipt only.',
  takeBack: 'Take the link back',
  takeBackText:
    'People who open the link then no longer see your bill. A transfer number somebody has already noted keeps working. A new link gets another address.',
  takenBack: 'The link no longer works.',
}
