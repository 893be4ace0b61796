import { expect, test } from 'vitest'
import { mailNotice } from './mail-notice.ts'

test('a demo says that mails are in the outbox only if no SMTP server gets them', () => {
  const mail = { from: 'PMB <pmb@kampus.example>', smtpUrl: undefined }
  expect(mailNotice({ mail }, 'http://localhost:3000')).toContain('http://localhost:3000/outbox')
  const withServer = { mail: { ...mail, smtpUrl: 'smtp://mail.kampus.example' } }
  expect(mailNotice(withServer, 'http://localhost:3000')).toMatch(/^Mail is sent by SMTP/)
  expect(mailNotice(withServer, 'http://localhost:3000')).not.toContain('outbox')
})
