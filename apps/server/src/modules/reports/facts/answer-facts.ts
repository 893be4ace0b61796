import { sql } from 'kysely'
import type { Facts, Measure } from '#server/modules/reports/report.ts'
import { joinedRegistrationFacts, reached } from './registration-facts.ts'

/** One row per registration and questionnaire answer of its account. */
const answerFacts: Facts = {
  ...joinedRegistrationFacts,
  from: sql`${joinedRegistrationFacts.from} JOIN questionnaires q ON q.account_id = r.account_id
    CROSS JOIN LATERAL (SELECT 'reasons' AS question, unnest(q.reasons) AS answer
      UNION ALL SELECT 'criteria', unnest(q.criteria) UNION ALL SELECT 'sources', unnest(q.sources)) x`,
  groups: {
    ...joinedRegistrationFacts.groups,
    question: { key: sql`x.question`, label: sql`NULL::text`, words: 'question' },
    answer: { key: sql`x.question || '/' || x.answer`, label: sql`NULL::text`, words: 'answer' },
  },
  id: sql`r.id, x.question, x.answer`,
  columns: {
    ...joinedRegistrationFacts.columns,
    question: { value: sql`x.question`, kind: 'text', words: 'question' },
    answer: { value: sql`x.question || '/' || x.answer`, kind: 'text', words: 'answer' },
    otherAnswer: { value: sql`CASE WHEN x.answer = 'other' THEN q.other END`, kind: 'text' },
  },
}

/** Answers of people with a submitted registration. */
export const answers = reached('submitted', answerFacts)

/** Answers of people who enrolled. */
export const answersOfEnrolled = reached('enrolled', answerFacts)

/** Answers in the applicant's own words. */
export const ownWords: Measure = {
  ...answers,
  where: sql<boolean>`x.answer = 'other' AND nullif(btrim(q.other), '') IS NOT NULL`,
}
