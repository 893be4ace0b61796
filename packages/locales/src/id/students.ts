import type { students as english } from '#locales/en/students.ts'

export const students: typeof english = {
  npm: 'NPM',
  issuedAt: 'Diterbitkan',
  unlocked: 'Pembayaran cukup untuk NPM',
}
