import { afterAll, beforeAll, describe, test } from 'vitest'
import { signUpStepByStep } from './sign-up.ts'
import { wordsOf } from './words.ts'
import { openWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

describe.each([
  { language: 'en', width: 1280 },
  { language: 'id', width: 360 },
] as const)('the whole path in $language at $width px', ({ language, width }) => {
  test('from sign-up to student number', async () => {
    const say = wordsOf(language)
    const applicant = await world.person({ width, language })
    const email = `perjalanan-${language}@contoh.test`
    await signUpStepByStep(world.url, applicant, say, email)
  })
})
