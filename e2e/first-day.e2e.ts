import { afterAll, beforeAll, describe, test } from 'vitest'
import { sampleOf } from '#testing/form.ts'
import { applyAndPay, type Installation, openInstallation, openUniversity } from './first-day/first-day.ts'

const devices = [
  { language: 'id', width: 360, nik: '3171015708071234' },
  { language: 'en', width: 1280, nik: '3171015708071235' },
] as const

let installation: Installation
beforeAll(async () => {
  installation = await openInstallation()
})
afterAll(() => installation?.close())

describe('a university on an empty Debian PostgreSQL, without an account', () => {
  test('is opened by two administrators, one in English and one in Indonesian, without any SQL', () =>
    openUniversity(installation))

  test.each(sampleOf('devices of the first applicant', devices, 1))(
    'has an applicant who pays the registration fee, in $language at $width px',
    ({ nik, ...device }) =>
      applyAndPay(installation, device, {
        name: `Sari Rekaan ${device.language}`,
        email: `sari-${device.language}@contoh.test`,
        nik,
      }),
  )
})
