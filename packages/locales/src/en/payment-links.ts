/** Payment links on the applicant's payment page. */
export const paymentLinks = {
  title: 'Does somebody pay for you?',
  text: 'Send your parents a link to this bill. They see your initials, the study programme, the amount and how to pay, and need no account.',
  make: 'Make a link',
  whatsapp: 'Send by WhatsApp',
  address: 'Link to this bill',
  copyAddress: 'Copy the link',
  message: 'Please help me pay {{kind}} of {{amount}} before {{due}}. The link shows how, without an account: {{url}}',
  messageAnytime: 'Please help me pay {{kind}} of {{amount}}. The link shows how, without an account: {{url}}',
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
