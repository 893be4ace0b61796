// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code of the product.
import type { Fault } from './fault.ts'

const deciding = 'apps/server/src/modules/admissions/deciding.test.ts'

export const processFaults: Fault[] = [
  {
    name: 'a test session takes more people than it has seats',
    file: 'apps/server/src/modules/testing/seats/seats.ts',
    find: '\n      WHERE test_session_seats.taken + ${count} <= test_session_seats.capacity',
    replace: '',
    foundBy: [
      {
        file: 'apps/server/src/modules/testing/testing.test.ts',
        test: 'of 50 applicants for the last 10 seats',
        beside: 'four bookings of one applicant make one seat',
      },
    ],
  },
  {
    name: 'a programme accepts one applicant more than it has places',
    file: 'apps/server/src/modules/admissions/places.ts',
    find: 'if (taken >= place.places)',
    replace: 'if (taken > place.places)',
    foundBy: [
      {
        file: deciding,
        test: 'gives the last place of a programme to one of five accepted at once',
        beside: 'can be reverted with a reason',
      },
    ],
  },
  {
    name: 'acceptances at the same moment do not wait for the row of the places',
    file: 'apps/server/src/modules/admissions/places.ts',
    find: "    .where('entryLevelId', '=', entryLevelId)\n    .forNoKeyUpdate()\n",
    replace: "    .where('entryLevelId', '=', entryLevelId)\n",
    foundBy: [
      {
        file: deciding,
        test: 'waits for another acceptance that has locked the places',
        beside: 'can be reverted with a reason',
      },
    ],
  },
  {
    name: 'submissions at the same moment exceed the quota of a track',
    file: 'apps/server/src/modules/admissions/steps/submit-registration.ts',
    find: "    .where('d.quota', 'is not', null)\n    .forNoKeyUpdate('d')\n",
    replace: "    .where('d.quota', 'is not', null)\n",
    foundBy: [
      {
        file: 'apps/server/src/modules/admissions/applying.test.ts',
        test: "does not exceed a track's quota when applicants submit at once",
        beside: 'costs nothing on a free track',
      },
    ],
  },
  {
    name: 'an applicant reads a decision before its publication',
    file: 'apps/server/src/platform/access/decision-scope.ts',
    find: 'WHEN r.decision IS NOT NULL AND ${isPublished(now)} THEN r.decision',
    replace: 'WHEN r.decision IS NOT NULL THEN r.decision',
    foundBy: [
      {
        file: deciding,
        test: 'is hidden from the applicant, and visible everywhere afterwards',
        beside: 'can be reverted with a reason',
      },
    ],
  },
  {
    name: 'an adoption after the publication shows its decisions at once',
    file: 'apps/server/src/modules/admissions/results/decide-many.ts',
    find: 'published_after = ${publishedAfter}, hidden_since = ${hiddenSince}',
    replace: 'published_after = NULL, hidden_since = NULL',
    foundBy: [
      {
        file: 'apps/server/src/modules/selection/adopt/later-adoptions.test.ts',
        test: 'later decisions are hidden until their own publication, which notifies only applicants with a new result',
        beside: 'a publication is refused if the number of waiting decisions differs from the one the publisher saw',
      },
    ],
  },
  {
    name: 'an applicant whose documents nobody verified is accepted',
    file: 'packages/domain/src/admissions/registration-status.ts',
    find: "  accept: {\n    from: ['verified'],",
    replace: "  accept: {\n    from: ['paid', 'verified'],",
    foundBy: [
      {
        file: deciding,
        test: 'can reject a paid registration, but accepts only after verification',
        beside: 'can be reverted with a reason',
      },
    ],
  },
  {
    name: 'an offer expires a day after its deadline',
    file: 'apps/server/src/modules/admissions/offers/expire-offers.job.ts',
    find: 'AND ${isPublished(now)} AND ${offerDueAt} <= ${now})`',
    replace: "AND ${isPublished(now)} AND ${offerDueAt} + interval '1 day' <= ${now})`",
    foundBy: [
      {
        file: 'apps/server/src/modules/admissions/offers/offers.test.ts',
        test: 'passes exactly at its time: a second earlier the offer is still open',
        beside: 'needs a reason, ends the registration and can be reverted',
      },
    ],
  },
  {
    name: 'an instalment is due a day later than its plan says',
    file: 'packages/domain/src/calendar.ts',
    find: 'at.getTime() + days * dayMs',
    replace: 'at.getTime() + (days + 1) * dayMs',
    foundBy: [
      {
        file: 'packages/domain/src/payments/bills/bills.test.ts',
        test: '40, 30 and 30 percent',
        beside: 'the last part takes the remainder',
      },
    ],
  },
  {
    name: 'days are counted in UTC instead of the time zone of the university',
    file: 'packages/domain/src/calendar.ts',
    find: 'const dayOf = (at: Date) => localIso(at).slice(0, 10)',
    replace: 'const dayOf = (at: Date) => at.toISOString().slice(0, 10)',
    foundBy: [
      {
        file: 'packages/domain/src/calendar.test.ts',
        test: 'Asia/Jayapura counts days by local time',
        beside: 'an unreadable time gives an invalid date',
      },
    ],
  },
  {
    name: 'a notice of WhatsApp is believed without the signature of Meta',
    file: 'apps/server/src/modules/whatsapp/webhook.ts',
    find: "if (!appSecret || typeof signature !== 'string') return false",
    replace: "if (appSecret || typeof signature !== 'string') return true",
    foundBy: [
      {
        file: 'apps/server/src/modules/whatsapp/webhook.test.ts',
        test: 'of other bytes is refused and changes nothing',
        beside: 'a status never moves back, and a delivered message cannot fail',
      },
    ],
  },
]
