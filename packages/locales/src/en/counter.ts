/** Registering somebody at the counter, and the sheet to sign. */
export const counter = {
  title: 'Register somebody at the counter',
  person: 'Who is registering?',
  field: {
    name: 'Full name',
    email: 'E-mail',
    phone: 'Mobile number',
    nik: 'NIK',
    language: 'Language of messages',
  },
  hint: {
    email: 'Leave empty if the person has none: the sheet then shows how to sign in.',
    phone: 'Required if there is no e-mail address. A parent’s number will do.',
  },
  study: 'What is the registration for?',
  known: 'This person may already have an account',
  knownText: 'Continue with the existing account, so that nobody has two.',
  matches: { email: 'same e-mail address', phone: 'same mobile number', nik: 'same NIK' },
  useAccount: 'Register {{name}}',
  anotherPerson: 'This is a different person with the same number',
  submit: 'Create the registration',
  done: 'The registration was created. Print the sheet to be signed.',
  print: 'Print the sheet to sign',
  sheet: {
    title: 'Registration sheet',
    code: 'Registration code',
    wave: 'Wave',
    track: 'Track',
    class: 'Class',
    choice: 'Choice {{position}}',
    noEmail: 'none',
    next: 'Next steps',
    steps: {
      data: 'Complete the biodata: at this counter, or after signing in.',
      files: 'Hand in or upload the documents that the track asks for.',
      pay: 'Once the registration is submitted, pay the registration fee by the date on the bill.',
      wait: 'Tests, results and everything else appear on your page and in your messages.',
    },
    signIn: 'Signing in',
    signInName: 'Your sign-in name is {{name}}. You sign in at {{address}}.',
    signInCode:
      'Scan this code with a phone and choose a password. It works once, until {{until}}; afterwards the counter prints a new one.',
    byMail:
      'You sign in at {{address}} with your e-mail address. If the account is new, the link to set its first password is in your mailbox.',
    statement: 'Statement',
    consent:
      'The data on this sheet is true. I agree that {{university}} processes my data for the admission, as its privacy notice says.',
    placeAndDate: 'Place and date, signature of the applicant (under 18 also of a parent or guardian)',
    clerk: 'Received by',
    printed: 'Printed {{at}} by {{name}}',
  },
}
