/** The page behind the opt-out link of a message. */
export const optOut = {
  lead: '{{university}} sends messages to {{address}}. Choose which ones you no longer want to receive.',
  purpose: {
    admission: { title: 'Invitations to register', text: 'Waves, study programmes and fees.' },
    events: { title: 'Invitations to events', text: 'Open days, webinars and visits.' },
  },
  stop: 'Stop these messages',
  undo: 'Receive them again',
  stopAll: 'Stop all invitations',
  stopped: 'Done. You will no longer receive these messages.',
  service: 'Messages about your own registration, such as deadlines and results, will still reach you.',
}
