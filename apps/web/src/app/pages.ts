import { pages as accounts } from '#web/modules/accounts/pages.ts'
import { pages as admissionCalendar } from '#web/modules/admission-calendar/pages.ts'
import { pages as admissions } from '#web/modules/admissions/pages.ts'
import { pages as affiliates } from '#web/modules/affiliates/pages.ts'
import { pages as applicants } from '#web/modules/applicants/pages.ts'
import { pages as campaigns } from '#web/modules/campaigns/pages.ts'
import { pages as chat } from '#web/modules/chat/pages.ts'
import { pages as documents } from '#web/modules/documents/pages.ts'
import { pages as enrolment } from '#web/modules/enrolment/pages.ts'
import { pages as errors } from '#web/modules/errors/pages.ts'
import { pages as events } from '#web/modules/events/pages.ts'
import { pages as outbox } from '#web/modules/outbox/pages.ts'
import { pages as payments } from '#web/modules/payments/pages.ts'
import { pages as verification } from '#web/modules/verification/pages.ts'
import type { Page } from '#web/shell/page.ts'

/** Entrance, public and applicants' pages, included in the first load. */
export const pages: readonly Page[] = [
  ...accounts,
  ...errors,
  ...affiliates,
  ...events,
  ...admissionCalendar,
  ...admissions,
  ...applicants,
  ...campaigns,
  ...documents,
  ...enrolment,
  ...payments,
  ...outbox,
  ...verification,
  ...chat,
]
