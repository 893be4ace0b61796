/** Messages to people: `<event>.subject` and `<event>.body`. Times and amounts are passed in as formatted text. */
export const messages = {
  greeting: 'Dear {{name}},',
  closing: 'This message was sent automatically by {{university}}. Please do not reply to it.',
  openLink: 'Open PMB Online',
  optOut: 'No more messages like this one:',
  optOutByReply: 'Reply STOP to receive no more of these.',
  'verify-email': {
    subject: 'Confirm your e-mail address',
    body: 'Thank you for signing up. Please confirm your e-mail address within 24 hours by opening the link below. If you did not sign up, you can ignore this message.',
  },
  'reset-password': {
    subject: 'Choose a new password',
    body: 'We received a request to reset your password. Open the link below within one hour to choose a new one. If it was not you, nothing has changed and you can ignore this message.',
  },
  'change-email': {
    subject: 'Confirm your new e-mail address',
    body: 'Open the link below within 24 hours to use this e-mail address for your account.',
  },
  'password-changed': {
    subject: 'Your password was changed',
    body: 'The password of your account was changed just now and other devices were signed out. If it was not you, reset your password at once.',
  },
  'account-exists': {
    subject: 'You already have an account',
    body: 'Somebody tried to sign up with this e-mail address. You already have an account: sign in, or reset your password if you forgot it.',
  },
  'account-welcome': {
    subject: 'Welcome, {{name}}',
    body: 'Your e-mail address is confirmed and your account is ready. Next: complete your identity, then start your registration.',
  },
  'account-email-changed': {
    subject: 'The e-mail address of your account was changed',
    body: 'The e-mail address of your account is now {{email}}. If it was not you, please contact the admissions office at once.',
  },
  'account-google-linked': {
    subject: 'Your account can be opened with Google',
    body: 'Your account was connected to the Google account of the same e-mail address. If it was not you, please contact the admissions office at once.',
  },
  'account-invited': {
    subject: 'An account was created for you',
    body: 'An account with the role {{role}} was created for you. Open the link below within 72 hours to choose your password.',
  },
  'administrator-link': {
    subject: 'Somebody on the server asked for a new administrator',
    body: 'Somebody with access to the server printed an address on it. The address works once, until {{due}}, and makes the account {{email}} an administrator with a new password. If none of you did this, contact the people who run the server at once.',
  },
  'administrator-added': {
    subject: '{{email}} is an administrator now',
    body: 'The account {{email}} became an administrator through an address printed on the server. If none of you did this, deactivate the account at once.',
  },
  'account-totp-on': {
    subject: 'Two-factor sign-in is on',
    body: 'From now on, signing in to your account asks for a code from your authenticator app. If it was not you, please contact an administrator at once.',
  },
  'account-totp-off': {
    subject: 'Two-factor sign-in is off',
    body: 'Signing in to your account no longer asks for a code. If it was not you, change your password and contact an administrator at once.',
  },
  'account-totp-reset': {
    subject: 'Two-factor sign-in was reset',
    body: 'An administrator reset two-factor sign-in for your account. Reason: {{reason}}. You were signed out everywhere and can set it up again after signing in. If you did not ask for this, please contact an administrator at once.',
  },
  'account-recovery-code': {
    subject: 'A recovery code was used',
    body: 'Somebody signed in to your account with one of your recovery codes, which no longer works. If it was not you, change your password and contact an administrator at once.',
  },
  'registration-submitted': {
    subject: 'We have received registration {{code}}',
    body: 'We have received your registration {{code}}; this is not the result yet. Next: pay the registration fee of {{amount}} before {{due}}.',
  },
  'registration-submitted-free': {
    subject: 'We have received registration {{code}}',
    body: 'We have received your registration {{code}}; this is not the result yet. There is no registration fee. Next: upload the required documents.',
  },
  'registration-withdrawn': {
    subject: 'Registration {{code}} was withdrawn',
    body: 'Registration {{code}} has been withdrawn. If this was a mistake, please contact the admissions office.',
  },
  'registration-expired': {
    subject: 'Registration {{code}} has expired',
    body: 'Registration {{code}} was not completed in time and has expired. You may register again while a wave is open.',
  },
  'registration-cancelled': {
    subject: 'Registration {{code}} was cancelled',
    body: 'Registration {{code}} was cancelled by the admissions office. Reason: {{reason}}.',
  },
  'bill-issued': {
    subject: 'New bill {{number}}',
    body: 'Bill {{number}} of {{amount}} is ready. Please pay before {{due}}.',
  },
  'bill-changed': {
    subject: 'Your bill {{number}} has changed',
    body: 'The university has changed your bill {{number}}. The next payment is {{next}}, before {{due}}; {{remaining}} is still to be paid in all. Open the payment page to see what is different.',
  },
  'bill-let-off': {
    subject: 'Nothing is left to pay on bill {{number}}',
    body: 'The university has waived the rest of bill {{number}}. You do not have to pay anything more on it.',
  },
  'payment-received': {
    subject: 'Payment of {{amount}} received',
    body: 'Thank you. We received {{amount}} for bill {{number}}. Your receipt is ready in PMB Online.',
  },
  'payment-partial': {
    subject: 'Payment of {{amount}} received, {{remaining}} left',
    body: 'We received {{amount}} for bill {{number}}. The next payment is {{next}}, before {{due}}; {{remaining}} is still to be paid in all.',
  },
  'payment-waiting': {
    subject: 'Payment of {{amount}} received, {{waiting}} not used yet',
    body: 'Thank you. We received {{amount}} for bill {{number}}. Of this, {{waiting}} is more than the bill asks for or came after it was closed. The money is safe: the finance office will contact you about it.',
  },
  'payment-reversed': {
    subject: 'Payment of {{amount}} for bill {{number}} reversed',
    body: 'The payment of {{amount}} for bill {{number}} was reversed. Reason: {{reason}}. The bill has to be paid again. If you have a proof of payment, show it to the finance office.',
  },
  'transfer-proof-matched': {
    subject: 'We found your transfer of {{amount}}',
    body: 'We found the transfer of {{amount}} that you sent a proof of, for bill {{number}}. It appears among your payments as soon as it is booked. You do not have to send anything else.',
  },
  'transfer-proof-refused': {
    subject: 'We did not find your transfer of {{amount}}',
    body: 'We looked for the transfer of {{amount}} that you sent a proof of, for bill {{number}}, and did not find it. Reason: {{reason}}. You can send another proof on the payment page.',
  },
  'transfer-proof-returned': {
    subject: 'We are looking for your transfer of {{amount}} again',
    body: 'What we told you about the transfer of {{amount}} for bill {{number}} no longer holds, so we are looking for it again. The payment page of your registration says why. You do not have to send the proof again.',
  },
  'refund-approved': {
    subject: '{{amount}} will be refunded to you',
    body: 'Your refund {{number}} of {{amount}} is approved. The money is transferred to the bank account you named. You do not need to do anything.',
  },
  'payment-reminder': {
    subject: 'Bill {{number}} is due {{due}}',
    body: 'Please pay {{next}} of bill {{number}} before {{due}}; {{remaining}} is still to be paid in all.',
  },
  'document-approved': {
    subject: 'Document approved: {{document}}',
    body: 'Your document "{{document}}" was approved.',
  },
  'document-rejected': {
    subject: 'Please upload again: {{document}}',
    body: 'Your document "{{document}}" could not be accepted. Reason: {{reason}}. Please upload it again.',
  },
  'document-due': {
    subject: 'Please send {{document}} by {{due}}',
    body: '"{{document}}" for registration {{code}} is still to follow. Please upload it by {{due}}.',
  },
  'document-overdue': {
    subject: '{{document}} did not arrive by {{due}}',
    body: '"{{document}}" for registration {{code}} was due on {{due}} and is missing now. Please upload it as soon as you can.',
  },
  'document-requested': {
    subject: 'A document is needed: {{document}}',
    body: 'The admissions office asks for "{{document}}". Please upload it before {{due}}.',
  },
  'document-reopened': {
    subject: 'We are checking again: {{document}}',
    body: 'The admissions office is checking your document "{{document}}" for registration {{code}} again. You do not need to do anything now; we will tell you the result.',
  },
  'registration-verified': {
    subject: 'All documents of {{code}} are approved',
    body: 'All required documents of registration {{code}} are approved. Please wait for the selection.',
  },
  'test-booked': {
    subject: 'Test booked: {{session}}',
    body: 'You are booked for {{session}} on {{date}}, {{place}}. Please have your registration card and an identity card with you.',
  },
  'test-changed': {
    subject: 'Your test schedule has changed',
    body: 'Your test is now {{session}} on {{date}}, {{place}}.',
  },
  'test-offered': {
    subject: 'A seat is free: {{session}}',
    body: 'A seat in {{session}} on {{date}}, {{place}}, is kept for you until {{due}}. Please accept or decline it before then; after that it goes to the next person on the waiting list.',
  },
  'test-offer-expired': {
    subject: 'The seat in {{session}} went to the next person',
    body: 'You did not answer the offer of a seat in {{session}} on {{date}} in time, so it went to the next person. You can choose another session or join the waiting list again.',
  },
  'test-waiting-closed': {
    subject: 'No seat became free: {{session}}',
    body: 'The waiting list of {{session}} on {{date}} is closed and no seat became free for you. Please choose another session.',
  },
  'test-moved': {
    subject: 'Your test takes place at another time: {{session}}',
    body: '{{session}} now takes place on {{date}}, {{place}}. Reason: {{reason}}. You keep your seat; if you cannot come, choose another session in PMB Online while booking is open.',
  },
  'test-released': {
    subject: 'Please choose another test session',
    body: 'Your seat in {{session}} on {{date}} was given back. Reason: {{reason}}. Please choose another session in PMB Online.',
  },
  'test-reminder': {
    subject: 'Your test is on {{date}}',
    body: '{{session}} takes place on {{date}}, {{place}}. Please have your registration card and an identity card with you.',
  },
  'result-published': {
    subject: 'The result of {{code}} is published',
    body: 'You can now read the result of registration {{code}} in PMB Online.',
  },
  'registration-accepted': {
    subject: 'Congratulations: you are accepted at {{programme}}',
    body: 'Congratulations! You are accepted at {{programme}}. Please confirm before {{due}}.',
  },
  'registration-not-accepted': {
    subject: 'The result of {{code}} is published',
    body: 'Thank you for taking part in our selection. We regret that registration {{code}} was not accepted this time.',
  },
  'registration-confirmed': {
    subject: 'Your place at {{programme}} is confirmed',
    body: 'Your place at {{programme}} is confirmed. Next: pay the re-registration bill before {{due}}.',
  },
  'offer-declined': {
    subject: 'The place of {{code}} was given back',
    body: 'You gave back the place you were offered with registration {{code}}. If this was a mistake, please contact the admissions office at once.',
  },
  'offer-expired': {
    subject: 'The offer of {{code}} has expired',
    body: 'The place offered with registration {{code}} was not confirmed in time and is no longer kept for you. If you still want it, please contact the admissions office at once.',
  },
  'offer-reopened': {
    subject: 'Your place at {{programme}} is open again until {{due}}',
    body: 'Your place at {{programme}} (registration {{code}}) had expired and is open again. It is kept for you until {{due}}. Please confirm or decline it before then.',
  },
  'offer-extended': {
    subject: 'You have until {{due}} to answer',
    body: 'Your place at {{programme}} (registration {{code}}) is kept for you until {{due}}. Please confirm or decline it before then.',
  },
  'offer-reminder': {
    subject: 'Please confirm your place at {{programme}}',
    body: 'Your place at {{programme}} (registration {{code}}) is still waiting for your answer. Confirm or decline it before {{due}}, otherwise it goes to the next applicant.',
  },
  'event-ticket': {
    subject: 'Your ticket for {{title}}',
    body: 'You are registered for {{title}} on {{date}}, {{place}}. Open your ticket and show its QR code at the door. Code: {{code}}.',
  },
  'event-waiting': {
    subject: 'You are on the waiting list: {{title}}',
    body: '{{title}} on {{date}} is full. You are on the waiting list; as soon as a place is free, it is yours and we will write to you at once.',
  },
  'event-place-free': {
    subject: 'A place is free for you: {{title}}',
    body: 'A place in {{title}} on {{date}}, {{place}}, is yours now. Open your ticket and show its QR code at the door. Code: {{code}}. If you cannot come, please cancel there so that somebody else can.',
  },
  'event-reminder': {
    subject: 'Tomorrow: {{title}}',
    body: '{{title}} takes place on {{date}}, {{place}}. Please have your ticket at hand; its code is {{code}}. If you cannot come, cancel on your ticket.',
  },
  'event-moved': {
    subject: 'Another time or place: {{title}}',
    body: '{{title}} now takes place on {{date}}, {{place}}. Your ticket stays valid. If you cannot come, cancel on your ticket.',
  },
  'event-cancelled': {
    subject: 'Cancelled: {{title}}',
    body: '{{title}} on {{date}} does not take place. Reason: {{reason}}. We are sorry, and would be glad to see you at another event.',
  },
  'affiliate-approved': {
    subject: 'You are an affiliate now',
    body: 'Your request was approved. Your code is {{code}}. Your link, the people you refer and your commission are on your affiliate page.',
  },
  'affiliate-refused': {
    subject: 'Your request to become an affiliate',
    body: 'Your request to become an affiliate was not granted. Reason: {{reason}}. You may ask again.',
  },
  'commission-paid': {
    subject: 'Your commission of {{amount}} was paid out',
    body: 'We transferred your commission of {{amount}}, with tax already withheld (payout {{number}}). Details are on your affiliate page.',
  },
  'programme-request-refused': {
    subject: 'Your request to move to {{programme}} was not granted',
    body: 'Your request to move registration {{code}} to {{programme}} was not granted. Reason: {{reason}}. Your registration stays as it is.',
  },
  'programme-changed': {
    subject: 'Registration {{code}}: your programme is now {{programme}}',
    body: 'Your registration {{code}} has been moved to {{programme}}. Reason: {{reason}}. Your bill stays the same.',
  },
  'programme-changed-bill': {
    subject: 'Registration {{code}}: your programme is now {{programme}}',
    body: 'Your registration {{code}} has been moved to {{programme}}. Reason: {{reason}}. Your bill was replaced by {{number}} of {{amount}}. What you have paid counts towards the new bill; {{remaining}} is left to pay. Please do not transfer to the old number any more.',
  },
  'programme-changed-overpaid': {
    subject: 'Registration {{code}}: your programme is now {{programme}}',
    body: 'Your registration {{code}} has been moved to {{programme}}. Reason: {{reason}}. Your bill was replaced by {{number}} of {{amount}}, which is paid in full. {{waiting}} of your money is left over: it is safe with the finance office, which will contact you. You do not need to do anything until then.',
  },
  'student-number-withdrawn': {
    subject: 'Your student number {{number}} was taken back',
    body: 'Your student number {{number}} is no longer valid. Reason: {{reason}}. Your place stays confirmed. You will get a new number and a new card, and we will tell you when they are ready.',
  },
  'student-number-issued': {
    subject: 'Your student number is {{number}}',
    body: 'Welcome to {{programme}}! Your student number (NPM) is {{number}}.',
  },
  'school-rejected': {
    subject: 'The school “{{school}}” was not accepted',
    body: 'The admissions office could not accept the school you chose: {{school}}. Reason: {{reason}}. What to do: open Account › Last education and choose your school again, or propose it with its full name and NPSN.',
  },
  'campaign-to-approve': {
    subject: 'A campaign is waiting for approval: {{title}}',
    body: 'The campaign “{{title}}” to {{count}} people is waiting for a second person. Please look at its text and its recipients, then approve it, or make it a draft again.',
  },
  'health-red': {
    subject: 'Needs attention now: {{lines}}',
    body: 'These parts of PMB Online have problems or soon will, so applicants may be affected: {{lines}}. Open the Health page: it says what each of them means and what to do. You get this message once, and another when all is well.',
  },
  'health-well': {
    subject: 'Working again: {{lines}}',
    body: 'These parts of PMB Online are working again: {{lines}}.',
  },
  'invariants-found': {
    subject: 'The books contradict themselves ({{count}} new)',
    body: 'Checking the books found {{count}} new contradictions: something is recorded that does not follow from the rest. Please look at each of them; nothing was changed.',
  },
  'chat-answer': {
    subject: 'The admissions office has answered you',
    body: 'You have an answer to your question:\n\n{{text}}',
  },
  note: {
    subject: '{{title}}',
    body: '{{text}}',
  },
  'report-mail': {
    subject: '{{title}} ({{date}})',
    body: '“{{report}}” as of {{date}} is attached: {{count}} rows, limited to what your role may see. {{by}} scheduled this mail. The button opens the report with the same filters.',
  },
  'report-mail-link': {
    subject: '{{title}} ({{date}})',
    body: '“{{report}}” as of {{date}} has {{count}} rows, which is too much for an attachment. The button opens the report with the same filters; you can download it there. {{by}} scheduled this mail.',
  },
}
