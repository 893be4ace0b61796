import { afterAll, beforeAll, test } from 'vitest'
import {
  askForProgramme,
  decline,
  seeAcceptance,
  seeGranted,
  seeRefusal,
  takeReservePlace,
} from './selection/applicant-steps.ts'
import { arrangeScene } from './selection/scene.ts'
import {
  adoptAndPublish,
  adoptLater,
  answerFor,
  divideAndRecompute,
  grantWish,
  publishLater,
  seeReserve,
  simulate,
  tryOverOffer,
} from './selection/staff-steps.ts'
import { signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

test('a selection is adopted and published; a declined place is offered to the next candidate, and a second one waits to be published', async () => {
  const [words, say] = [wordsOf('en'), wordsOf('id')]
  const staff = await world.person({ width: 1280, language: 'en' })
  const leaver = await world.person({ width: 360, language: 'id' })
  const next = await world.person({ width: 360, language: 'id' })
  const last = await world.person({ width: 360, language: 'id' })
  await world.keepPicturesOnFailure('selection', [staff, leaver, next, last], async () => {
    const scene = await arrangeScene(world)
    const [first, second, third, fourth, fifth] = scene.candidates
    await signInAs(staff, words, 'panitia')
    const run = await simulate(staff, words, scene)
    await tryOverOffer(staff, words, run, scene)
    await divideAndRecompute(staff, words, run, scene)
    await adoptAndPublish(staff, words)

    await signInAs(leaver, say, first!.account)
    await decline(leaver, say, first!, scene)
    await seeReserve(staff, words, third!, fourth!)
    await answerFor(staff, words, second!)

    await signInAs(next, say, third!.account)
    await takeReservePlace(next, say, third!)
    const reason = 'Lebih berminat di program studi ini'
    const programme = await askForProgramme(next, say, reason)
    await grantWish(staff, words, third!, reason)
    await seeGranted(next, say, programme)

    await signInAs(last, say, fifth!.account)
    await seeRefusal(last, say, fifth!)
    await adoptLater(staff, words, run, scene)
    await seeRefusal(last, say, fifth!)
    await publishLater(staff, words)
    await seeAcceptance(last, say, fifth!)
  })
})
