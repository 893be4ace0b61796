import { Alert, Checkbox, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { getQuestionnaire, type Questionnaire, saveQuestionnaire } from '#domain/applicants/endpoints.ts'
import { chooseReasons, informationSources, selectionCriteria } from '#domain/applicants/questionnaire.ts'
import { longDate } from '#locales/format.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { boundTo, useForm } from '#web/api/use-form.ts'
import { Card } from '#web/ui/card.tsx'
import { DraftSaved, useDraft } from '#web/ui/form/draft.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './questionnaire-form.module.css'

const lists = { reasons: chooseReasons, criteria: selectionCriteria, sources: informationSources } as const
const questions = ['reasons', 'criteria', 'sources'] as const
type Typed = Partial<Pick<Questionnaire, (typeof questions)[number] | 'other'>>

/** Reasons, criteria and sources of information, as three groups of checkboxes. */
export function QuestionnaireForm() {
  const { t } = useTranslation('applicants')
  const { language } = useSurroundings()
  const queryClient = useQueryClient()
  const { data, error, refetch } = useEndpoint(getQuestionnaire, {})
  const [draftAnswers, setDraftAnswers, draft] = useDraft<Typed>('questionnaire', {})
  const savedAnswers = data?.data ?? null
  const answersTo = (question: (typeof questions)[number]): string[] =>
    draftAnswers[question] ?? savedAnswers?.[question] ?? []
  const values = {
    reasons: answersTo('reasons'),
    criteria: answersTo('criteria'),
    sources: answersTo('sources'),
    other: draftAnswers.other ?? savedAnswers?.other ?? '',
  }
  const body = { ...values, version: savedAnswers?.version ?? 0, other: values.other || null }
  const sending = useForm({
    call: saveQuestionnaire,
    body: body as never,
    // A restored draft is checked at once, because the checks compare with empty answers.
    untouched: draft.restored ? { ...body, reasons: [], criteria: [], sources: [], other: null } : body,
    onDone: (answer) => {
      queryClient.setQueryData(keyOf(getQuestionnaire, {}), answer)
      setDraftAnswers({})
      draft.clear()
    },
    onRefused: ({ code }) =>
      code === 'stale_version' && queryClient.invalidateQueries({ queryKey: keyOf(getQuestionnaire) }),
  })
  const form = boundTo(sending, {
    values,
    set: (change: object) => setDraftAnswers((previous) => ({ ...previous, ...change })),
  })
  if (!data) return <LoadingOrFailed error={error} onRetry={refetch} rows={6} height={44} />
  const asksOther = questions.some((question) => values[question].includes('other'))
  const dirty = Object.keys(draftAnswers).length > 0

  return (
    <Card>
      <PageForm
        form={form}
        submit={savedAnswers ? t('questionnaire.update') : t('questionnaire.send')}
        button={{ disabled: !dirty }}
        gap="lg"
        maw={760}
        beside={<DraftSaved savedAt={draft.savedAt} failed={draft.failed} />}
      >
        <Text>{t('questionnaire.lead')}</Text>
        {savedAnswers && !dirty && (
          <Alert color="green">
            {t('questionnaire.thanks', { date: longDate(savedAnswers.answeredAt, language) })}
          </Alert>
        )}
        {questions.map((question) => (
          <Checkbox.Group
            size="md"
            key={question}
            label={
              <Text fw={600} component="span">
                {t(`questionnaire.${question}Question`)}
              </Text>
            }
            description={t('questionnaire.several')}
            {...form.value(question)}
          >
            <div className={classes.boxes}>
              {lists[question].map((value) => (
                <Checkbox key={value} value={value} label={t(`questionnaire.${question}.${value as 'other'}`)} />
              ))}
            </div>
          </Checkbox.Group>
        ))}
        {asksOther && <Textarea label={t('questionnaire.other')} {...form.text('other')} />}
      </PageForm>
    </Card>
  )
}
