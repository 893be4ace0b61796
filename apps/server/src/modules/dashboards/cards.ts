import type { CardKey } from '#domain/dashboards/cards.ts'
import type { CardReading } from './card.ts'
import { leadCalls } from './readings/lead-cards.ts'
import { approvals, moneyIn, unreconciled, waitingMoney } from './readings/money-cards.ts'
import { referred, schools, sources, vouchers } from './readings/outreach-cards.ts'
import { conversion, fill, forecast, funnel, receivables, season, stuck } from './readings/report-cards.ts'
import { deadlines, documentsToday, testsToday, waiting } from './readings/work-cards.ts'

/** How each card is computed; permissions and layout are in `domain/dashboards/cards.ts`. */
export const cardReadings: Record<CardKey, CardReading> = {
  season,
  funnel,
  fill,
  forecast,
  stuck,
  waiting,
  'tests-today': testsToday,
  'documents-today': documentsToday,
  deadlines,
  'money-in': moneyIn,
  receivables,
  'waiting-money': waitingMoney,
  unreconciled,
  approvals,
  sources,
  schools,
  vouchers,
  'lead-calls': leadCalls,
  conversion,
  referred,
}
