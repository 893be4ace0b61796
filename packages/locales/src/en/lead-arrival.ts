/** The sign-up by the link of a lead. */
export const leadArrival = {
  hello: 'Hello {{name}}',
  digits: 'Last four digits of your phone',
  digitsHelp: 'The form is then filled in with what you gave us.',
  fill: 'Fill in the form',
  filled: 'The form is filled in with what you gave us. Please check it.',
  ended: 'Your link has ended. You can sign up without it.',
}
