/** The page behind a payment link, drawn by the server for somebody without an account. */
export const paymentPage = {
  language: 'Read in English',
  card: {
    title: 'Pay a bill of {{university}}',
    text: 'Open the link to see the amount and how to pay. No account is needed.',
    office: 'Admissions office',
  },
  fact: {
    for: 'For',
    programme: 'Study programme',
    bill: 'Bill',
    instalment: '{{about}}, instalment {{position}} of {{count}}',
    paid: 'Paid so far',
  },
  settled: { title: 'This bill is paid', text: 'Nothing more has to be paid for it. Thank you.' },
  waiting: {
    owed: '{{amount}} has arrived and is still being checked by the finance office. Please do not pay again before you have asked.',
    settled: '{{amount}} arrived beyond this bill. The money is safe: the finance office contacts the applicant.',
  },
  askedInVain: 'The bank has not received a payment yet. Please wait a moment and check again.',
  pending: '{{bank}} is making the transfer number. Please load this page again in a moment.',
  bank: {
    choose: 'Which bank do you want to pay with?',
    help: 'You may also pay from another bank; choose the one whose steps you want to see.',
    none: 'No bank is available at the moment. Please try again later.',
  },
  after: {
    title: 'After you have paid',
    text: 'The payment is seen by itself, usually within a minute. The receipt then appears on this page.',
  },
  receiptHelp: 'This receipt has initials only. The applicant can download one with the full name.',
  about: 'This page shows one bill of {{university}} and nothing else about the applicant. No account is needed.',
  contact: 'Questions? {{contact}}',
  end: {
    broken: {
      title: 'This link is not complete',
      text: 'Part of the address is missing or has been changed. Ask the person who sent it to send it again.',
    },
    taken_back: {
      title: 'This link was taken back',
      text: 'The person who sent it has ended it. If a bill is still to be paid, ask for a new link.',
    },
    replaced: {
      title: 'This bill has been replaced',
      text: 'Please do not pay on its transfer numbers any more. Ask for the link of the new bill.',
    },
    expired: {
      title: 'The time to pay has passed',
      text: 'This registration ended because it was not paid in time. Please do not pay any more. The applicant can ask the office what is still possible.',
    },
    cancelled: {
      title: 'This bill was cancelled',
      text: 'Nothing has to be paid for it. Please do not pay on its transfer numbers any more.',
    },
  },
  failed: {
    title: 'This did not work',
    text: 'Something went wrong here. Nothing was paid. Please try again in a moment.',
    again: 'Back to the bill',
  },
}
