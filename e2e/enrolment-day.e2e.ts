import { afterAll, beforeAll, test } from 'vitest'
import { approveFiles, giveLetter, handOutJacket, printCard, receiveJackets } from './enrolment-day/staff-steps.ts'
import { answerEnrolmentData, sendEnrolmentFiles, sendPhoto, showCard } from './enrolment-day/student-steps.ts'
import { someoneWho } from './support/demo-people.ts'
import { confirmPlace, payAtDemoBank, readStudentNumber, signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

test('an enrolment day: documents, data, student number, card, letter and jacket', async () => {
  const [words, say] = [wordsOf('en'), wordsOf('id')]
  const staff = await world.person({ width: 1280, language: 'en' })
  const student = await world.person({ width: 360, language: 'id' })
  await world.keepPicturesOnFailure('enrolment-day', [staff, student], async () => {
    const person = await someoneWho(
      world,
      `r.status = 'decided' AND r.accepted_programme_id IS NOT NULL AND p.clothes_size IS NOT NULL AND EXISTS (
         SELECT FROM result_publications u
         WHERE u.wave_id = r.wave_id AND u.track_id = r.track_id AND u.publish_at <= now())`,
    )
    await signInAs(student, say, person.account)
    await sendPhoto(student, say)
    await confirmPlace(student, say, person.registration)
    await sendEnrolmentFiles(student, say, person.registration)
    await answerEnrolmentData(student, say, person.registration)
    await payAtDemoBank(student, say, person.registration)
    const npm = await readStudentNumber(student, say, person.registration)

    await signInAs(staff, words, 'panitia')
    await approveFiles(staff, words, person)
    await printCard(staff, words, npm)
    await giveLetter(staff, words, person)
    await receiveJackets(staff, words)
    await handOutJacket(staff, words, npm)

    await showCard(student, say, { ...person, npm })
  })
})
