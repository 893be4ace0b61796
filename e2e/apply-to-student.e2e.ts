import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleOf } from '#testing/form.ts'
import { linkIn, mailFor } from './support/outbox.ts'
import { signUpStepByStep } from './support/sign-up.ts'
import {
  accept,
  approveDocuments,
  completeProfile,
  confirmPlace,
  findRegistration,
  payAtDemoBank,
  publish,
  readStudentNumber,
  register,
  seeTestAhead,
  seeWaiting,
  signInWithForm,
  uploadDocuments,
} from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

const devices = [
  { language: 'en', width: 1280, nik: '3171015708070001' },
  { language: 'id', width: 360, nik: '3171015708070002' },
] as const

describe.each(sampleOf('devices of an applicant', devices, 1))(
  'the whole path in $language at $width px',
  ({ language, width, nik }) => {
    let world: World
    beforeAll(async () => {
      world = await openWorld()
    })
    afterAll(() => world?.close())

    test('from sign-up to student number, with a clerk on the other side', async () => {
      const say = wordsOf(language)
      const name = `Rekaan Perjalanan ${language}`
      const applicant = await world.person({ width, language })
      const clerk = await world.person({ width, language })

      await world.keepPicturesOnFailure(language, [applicant, clerk], async () => {
        const email = `perjalanan-${language}@contoh.test`
        await signUpStepByStep(applicant, say, { name, email }, async () =>
          linkIn(await mailFor(world.url, email, 'verify-email')),
        )
        await completeProfile(applicant, say, nik)
        const registration = await register(applicant, say)
        await payAtDemoBank(applicant, say, registration)
        await uploadDocuments(applicant, say, registration)

        await signInWithForm(clerk, say, 'panitia')
        await findRegistration(clerk, say, name)
        await approveDocuments(clerk, say)
        await seeTestAhead(applicant, say, registration)
        await accept(clerk, say)
        await seeWaiting(applicant, say, registration)
        await publish(clerk, say)

        await confirmPlace(applicant, say, registration)
        await payAtDemoBank(applicant, say, registration)
        expect(await readStudentNumber(applicant, say, registration)).toMatch(/^\d{8,10}$/)
      })
    })
  },
)
