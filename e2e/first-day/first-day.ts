import type { Language } from '#entities/define/language.ts'
import { startMidtrans } from '#server-test/peers/midtrans.ts'
import { wordsOf } from '../support/words.ts'
import { openWorld } from '../support/world.ts'
import * as staff from './administrator-steps.ts'
import { type Applicant, apply, payFee } from './applicant-steps.ts'
import { type Camera, noCamera } from './camera.ts'
import { startDebianPostgres } from './debian-postgres.ts'
import { openMailbox } from './mailbox.ts'

const gatewayKey = { code: 'midtrans', serverKey: 'SB-Mid-server-rekaan' }

/** A real installation on an empty Debian PostgreSQL, with a mail server and a payment gateway, all on loopback. */
export async function openInstallation() {
  const [postgres, mailbox] = await Promise.all([startDebianPostgres(), openMailbox()])
  const world = await openWorld({
    settings: {
      DATABASE_URL: postgres.url,
      DEMO: 'false',
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'PMB UMN <pmb@univ-melati.ac.id>',
    },
  }).catch(async (error) => {
    await Promise.all([postgres.stop(), mailbox.close()])
    throw error
  })
  const gateway = await startMidtrans({
    serverKey: gatewayKey.serverKey,
    notifyUrl: `${world.url}/api/providers/${gatewayKey.code}/report`,
    now: () => new Date(),
  })
  return {
    world,
    mailbox,
    gateway,
    async close() {
      await world.close()
      await Promise.all([gateway.close(), mailbox.close(), postgres.stop()])
    },
  }
}

export type Installation = Awaited<ReturnType<typeof openInstallation>>

/** From the address in the server's output to open registration; the second administrator reads Indonesian. */
export async function openUniversity({ world, mailbox, gateway }: Installation, camera: Camera = noCamera) {
  const [english, indonesian] = [wordsOf('en'), wordsOf('id')]
  const first = await world.person({ width: 1280, language: 'en' })
  const second = await world.person({ width: 1280, language: 'id' })
  const [, setupPath] = /(\/setup\/[\w-]+)/.exec(await world.printed(/\/setup\//)) ?? []
  const invited = { name: 'Siti Aminah', email: 'siti@univ-melati.ac.id' }
  await world.keepPicturesOnFailure('first-day-staff', [first, second], async () => {
    await staff.becomeFirstAdministrator(first, english, camera, {
      ...{ path: setupPath!, name: 'Budi Santoso', email: 'budi@univ-melati.ac.id' },
    })
    await staff.addStartingSet(first, english)
    await staff.sendWorkbook(first, english, camera)
    await staff.saveIdentity(first, english)
    await staff.inviteAdministrator(first, english, invited)
    await staff.acceptInvitation(second, indonesian, await mailbox.linkTo(invited.email, '/invitation/'))
    await staff.connectBank(first, english, camera, { ...gatewayKey, baseUrl: gateway.baseUrl })
    await staff.approveBank(second, indonesian)
    await staff.tryAsApplicant(first, english, camera)
    await staff.openRegistration(first, english, camera)
  })
}

type Device = { language: Language; width: number }

/** From the sign-up page to a paid registration fee. */
export async function applyAndPay(
  { world, mailbox, gateway }: Installation,
  { language, width }: Device,
  who: Applicant,
  camera: Camera = noCamera,
) {
  const say = wordsOf(language)
  const person = await world.person({ language, width })
  await world.keepPicturesOnFailure(`first-day-${language}`, [person], async () => {
    const registration = await apply(person, say, camera, who, mailbox)
    await payFee(person, say, camera, registration, gateway)
  })
}
