/** Students and their numbers. */
export const students = {
  npm: 'Student number',
  issuedAt: 'Issued',
  unlocked: 'Paid enough for a number',
}
