import type { HelpPage } from '#domain/chat/help-page.ts'
import { parsePhone } from '#entities/define/phone.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { findOfficePhone } from './inbound/office-phone.ts'
import { describeOffice } from './own-chat.ts'

/** Questions that a page shows. */
const mostQuestions = 3

/** Help on an applicant's page, with the registration number that a WhatsApp message to the office begins with. */
export async function showHelp({ db, clock }: Services, { accountId }: Actor, page: HelpPage) {
  const [settings, officePhone, rows, registration] = await Promise.all([
    getSettings(db),
    findOfficePhone(db),
    db
      .selectFrom('helpQuestions')
      .select(['question', 'questionEn', 'answer', 'answerEn'])
      .where('screen', '=', page)
      .where('active', '=', true)
      .orderBy('sortOrder')
      .orderBy('id')
      .limit(mostQuestions)
      .execute(),
    db
      .selectFrom('registrations')
      .select('code')
      .where('accountId', '=', accountId)
      .where('closedAt', 'is', null)
      .orderBy('createdAt', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ])
  return {
    questions: rows.map(({ question, questionEn, answer, answerEn }) => ({
      question: { id: question, en: questionEn ?? question },
      answer: { id: answer, en: answerEn ?? answer },
    })),
    hours: describeOffice(settings, clock.now()),
    proofAnswerHours: settings.proofAnswerHours,
    whatsapp: (officePhone ?? mobileOf(settings.phone))?.replace(/\D/g, '') ?? null,
    phone: settings.phone,
    email: settings.email,
    registrationCode: registration?.code ?? null,
  }
}

/** The university's number if it is an Indonesian mobile number, which WhatsApp can reach. */
function mobileOf(phone: string) {
  const parsed = phone ? parsePhone(phone) : null
  return parsed?.startsWith('+628') ? parsed : undefined
}
