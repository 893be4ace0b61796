/** The page behind the opt-out link of a message. */
export const optOut = {
  lead: '{{university}} writes to {{address}}. Choose what you do not want to receive any more.',
  purpose: {
    admission: { title: 'Invitations to register', text: 'Waves, study programmes and fees.' },
    events: { title: 'Invitations to events', text: 'Open days, webinars and visits.' },
  },
  stop: 'Stop these messages',
  undo: 'Receive them again',
  stopAll: 'Stop all invitations',
  stopped: 'Done. You will not receive these messages any more.',
  service: 'Messages about your own registration, such as deadlines and results, still reach you.',
}
