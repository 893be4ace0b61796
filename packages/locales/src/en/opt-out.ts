/** The page behind the opt-out link of a message, and the same choice in the account settings. */
export const optOut = {
  lead: '{{university}} sends messages to {{address}}. Choose which ones you no longer want to receive.',
  purpose: {
    admission: { title: 'Invitations to register', text: 'Waves, study programmes and fees.' },
    events: { title: 'Invitations to events', text: 'Open days, webinars and visits.' },
  },
  stop: 'Stop these messages',
  undo: 'Receive them again',
  ownerOnly:
    'The owner of a phone number or e-mail address of your account has stopped these messages. Only the owner can undo it: through the link in one of our messages, or at our office.',
  stopAll: 'Stop all invitations',
  stopped: 'Done. You will no longer receive these messages.',
  service: 'Messages about your own registration, such as deadlines and results, will still reach you.',
  own: {
    title: 'Invitations',
    text: 'Which invitations reach the e-mail address and the phone of your account.',
  },
  broken: {
    title: 'This link is incomplete or old',
    text: 'Links are often cut when they are copied. Open the message that you received again and tap its link.',
    signIn: 'Sign in to choose your messages',
    own: 'You are signed in, so you can choose here. The choice is for the e-mail address and the phone of your account.',
    reply: 'WhatsApp messages also end when you reply STOP.',
    contact: 'If nothing helps, contact {{university}}.',
  },
}
