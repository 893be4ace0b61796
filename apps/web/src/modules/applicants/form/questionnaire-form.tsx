import { Alert, Checkbox, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { getQuestionnaire, type Questionnaire, saveQuestionnaire } from '#domain/applicants/endpoints.ts'
import { chooseReasons, informationSources, selectionCriteria } from '#domain/applicants/questionnaire.ts'
import { longDate } from '#locales/format.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { Card } from '#web/ui/card.tsx'
import { DraftSaved, useDraft } from '#web/ui/form/draft.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { LoadingOrFailed } from '#web/ui/missing.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import classes from './questionnaire-form.module.css'

const lists = { reasons: chooseReasons, criteria: selectionCriteria, sources: informationSources } as const
const questions = ['reasons', 'criteria', 'sources'] as const
type Typed = Partial<Pick<Questionnaire, (typeof questions)[number] | 'other'>>

/** Reason, criteria, source of information: three groups of boxes on one page. */
export function QuestionnaireForm() {
  const { t } = useTranslation('applicants')
  const { language } = useSurroundings()
  const queryClient = useQueryClient()
  const { data, error, refetch } = useEndpoint(getQuestionnaire, {})
  const [typed, setTyped, draft] = useDraft<Typed>('questionnaire', {})
  const stored = data?.data ?? null
  const picked = (question: (typeof questions)[number]): string[] => typed[question] ?? stored?.[question] ?? []
  const other = typed.other ?? stored?.other ?? ''
  const body = {
    version: stored?.version ?? 0,
    reasons: picked('reasons'),
    criteria: picked('criteria'),
    sources: picked('sources'),
    other: other || null,
  }
  const form = useForm({
    call: saveQuestionnaire,
    body: body as never,
    // What a restored draft holds is checked at once: the checks begin with nothing answered.
    start: draft.restored ? { ...body, reasons: [], criteria: [], sources: [], other: null } : body,
    onDone: (answer) => {
      queryClient.setQueryData(keyOf(getQuestionnaire, {}), answer)
      setTyped({})
      draft.clear()
    },
    onRefused: ({ code }) =>
      code === 'stale_version' && queryClient.invalidateQueries({ queryKey: keyOf(getQuestionnaire) }),
  })
  if (!data) return <LoadingOrFailed error={error} onRetry={refetch} rows={6} height={44} />
  const asksOther = questions.some((question) => picked(question).includes('other'))
  const dirty = Object.keys(typed).length > 0

  return (
    <Card>
      <PageForm
        form={form}
        submit={stored ? t('questionnaire.update') : t('questionnaire.send')}
        button={{ disabled: !dirty }}
        gap="lg"
        maw={760}
        beside={<DraftSaved savedAt={draft.savedAt} failed={draft.failed} />}
      >
        <Text>{t('questionnaire.lead')}</Text>
        {stored && !dirty && (
          <Alert color="green">{t('questionnaire.thanks', { date: longDate(stored.answeredAt, language) })}</Alert>
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
            value={picked(question)}
            onChange={(values) => setTyped((before) => ({ ...before, [question]: values as never }))}
            {...form.field(question)}
          >
            <div className={classes.boxes}>
              {lists[question].map((value) => (
                <Checkbox key={value} value={value} label={t(`questionnaire.${question}.${value as 'other'}`)} />
              ))}
            </div>
          </Checkbox.Group>
        ))}
        {asksOther && (
          <Textarea
            label={t('questionnaire.other')}
            value={other}
            onChange={(event) => {
              const words = event.currentTarget.value
              setTyped((before) => ({ ...before, other: words }))
            }}
            {...form.field('other')}
          />
        )}
      </PageForm>
    </Card>
  )
}
