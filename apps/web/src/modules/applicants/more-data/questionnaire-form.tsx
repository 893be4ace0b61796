import { Alert, Checkbox, type CheckboxGroupProps, Text, Textarea } from '@mantine/core'
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

const questions = ['reasons', 'criteria', 'sources'] as const
type Question = (typeof questions)[number]
type Typed = Partial<Pick<Questionnaire, Question | 'other'>>

/** Reasons, criteria and sources of information, as three groups of checkboxes. */
export function QuestionnaireForm() {
  const { t } = useTranslation('applicants')
  const { language } = useSurroundings()
  const queryClient = useQueryClient()
  const { data, error, refetch } = useEndpoint(getQuestionnaire, {})
  const [draftAnswers, setDraftAnswers, draft] = useDraft<Typed>('questionnaire', {})
  const savedAnswers = data?.data ?? null
  const values = {
    reasons: draftAnswers.reasons ?? savedAnswers?.reasons ?? [],
    criteria: draftAnswers.criteria ?? savedAnswers?.criteria ?? [],
    sources: draftAnswers.sources ?? savedAnswers?.sources ?? [],
    other: draftAnswers.other ?? savedAnswers?.other ?? '',
  }
  const body = { ...values, version: savedAnswers?.version ?? 0, other: values.other || null }
  const sending = useForm({
    call: saveQuestionnaire,
    body,
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
  const choices = <V extends string>(
    question: Question,
    values: readonly V[],
    bound: Omit<CheckboxGroupProps<V>, 'children'>,
  ) => (
    <Checkbox.Group
      {...bound}
      size="md"
      label={
        <Text fw={600} component="span">
          {t(`questionnaire.${question}Question`)}
        </Text>
      }
      description={t('questionnaire.several')}
    >
      <div className={classes.boxes}>
        {values.map((value) => (
          <Checkbox key={value} value={value} label={t(`questionnaire.${question}.${value as 'other'}`)} />
        ))}
      </div>
    </Checkbox.Group>
  )
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
        {choices('reasons', chooseReasons, form.value('reasons'))}
        {choices('criteria', selectionCriteria, form.value('criteria'))}
        {choices('sources', informationSources, form.value('sources'))}
        {asksOther && <Textarea label={t('questionnaire.other')} {...form.text('other')} />}
      </PageForm>
    </Card>
  )
}
