import { expect, test } from 'vitest'
import { helpQuestion } from '#entities/messaging/help-question.ts'
import { helpPageOf, helpPages } from './help-page.ts'

test.each([
  ['/dashboard', 'start'],
  ['/pendaftaran', 'start'],
  ['/pendaftaran/create', 'apply'],
  ['/pendaftaran/voucher/7', 'apply'],
  ['/pendaftaran/7/program', 'apply'],
  ['/pendaftaran/7/pembayaran', 'payment'],
  ['/pendaftaran/7/file', 'documents'],
  ['/pendaftaran/7', 'registration'],
  ['/account/settings', 'profile'],
  ['/account/berkas', 'documents'],
  ['/verify-email', 'account'],
  ['/konfirmasi-kelulusan', 'confirmation'],
])('%s shows the questions of %s', (path, page) => expect(helpPageOf(path)).toBe(page))

test('staff choose among the pages that have questions', () => {
  expect(Object.keys(helpQuestion.fields.screen.choices)).toEqual(helpPages)
})
