import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { readSurvey, type Survey } from '#domain/surveys/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { resultsPath } from '#web/modules/surveys/paths.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-button.tsx'
import { DraftSaved } from '#web/ui/form/draft.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StickyBar } from '#web/ui/sticky-bar.tsx'
import classes from './builder.module.css'
import { ProblemSummary } from './problem-summary.tsx'
import { QuestionList } from './question-list.tsx'
import { StaleNotice } from './stale-notice.tsx'
import { SurveyPreview } from './survey-preview.tsx'
import { TemplateChoice } from './template-choice.tsx'
import { useBuilder } from './use-builder.ts'
import { WordsFields } from './words-fields.tsx'

/** Edits a new survey or, with `?id=`, the draft of an existing one. */
export default function BuilderPage() {
  const id = useSearchParams()[0].get('id')
  const { t } = useTranslation('survey-builder')
  const answer = useEndpoint(
    readSurvey,
    { params: { id: id ?? '' } },
    { enabled: id !== null, refetchOnWindowFocus: false },
  )
  const survey = id ? answer.data?.data : undefined
  const title = survey?.name ?? t('newTitle')
  usePageTitle(title)
  if (id && !survey) return <LoadingRecord error={answer.error} onRetry={answer.refetch} rows={8} />
  return <BuilderForm key={id ?? 'new'} survey={survey} title={title} refetch={answer.refetch} />
}

function BuilderForm({
  survey,
  title,
  refetch,
}: {
  survey: Survey | undefined
  title: string
  refetch: () => unknown
}) {
  const { t } = useTranslation('survey-builder')
  const builder = useBuilder(survey, refetch)
  const { definition, questions, form, field, problems, isChanged, setDefinition } = builder
  const [openKey, setOpenKey] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)

  /** Shows problems, opens the question of the field `name` and focuses the field. */
  function goTo(name: string) {
    builder.showProblems()
    const question = questions[Number(/^draft\.questions\.(\d+)/.exec(name)?.[1] ?? -1)]
    if (question) setOpenKey(question.key)
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const place =
          document.querySelector(`[data-field="${name}"]`) ??
          (question
            ? document.querySelector(`[data-question="${question.key}"]`)
            : document.getElementById('questions'))
        const control = place?.querySelector<HTMLElement>('input, textarea, button')
        control?.focus()
        place?.scrollIntoView({ block: 'center' })
      }),
    )
  }

  const isUnchanged = survey?.published != null && !survey.changed && !isChanged
  const publish = () => (builder.showProblems() ? setAsking(true) : goTo(problems[0]!.field))
  return (
    <>
      <PageHeader
        title={title}
        description={t('description')}
        actions={
          survey?.published != null && (
            <Button component={Link} to={resultsPath(survey.id)} variant="default" children={t('results')} />
          )
        }
      />
      {builder.isStale && survey && <StaleNotice builder={builder} theirs={survey} />}
      <div className={classes.layout}>
        <PageForm
          form={builder.isStale ? { ...form, formError: null } : form}
          submit={t('save')}
          button={{ variant: 'default', disabled: survey !== undefined && !isChanged }}
          layOut={(send) => (
            <StickyBar>
              {send}
              <Button
                onClick={publish}
                disabled={isUnchanged}
                title={isUnchanged ? t('unchanged') : undefined}
                children={t('publish')}
              />
              <DraftSaved savedAt={builder.draft.savedAt} failed={builder.draft.failed} />
            </StickyBar>
          )}
        >
          {!survey && questions.length === 0 && <TemplateChoice onChoose={builder.startFrom} />}
          <Card title={t('about')}>
            <Stack gap="sm">
              <TextInput label={t('name')} description={t('nameHelp')} {...builder.text('name')} />
              <WordsFields
                name="draft.title"
                label={t('title')}
                value={definition.title}
                onChange={(words) => setDefinition({ title: words })}
                field={field}
              />
              <WordsFields
                multiline
                name="draft.intro"
                label={t('intro')}
                value={definition.intro}
                onChange={(intro) => setDefinition({ intro })}
                field={field}
              />
              <WordsFields
                multiline
                name="draft.thanks"
                label={t('thanks')}
                value={definition.thanks}
                onChange={(thanks) => setDefinition({ thanks })}
                field={field}
              />
            </Stack>
          </Card>
          <div id="questions">
            <Card title={t('questions')} count={String(questions.length)}>
              <QuestionList builder={builder} openKey={openKey} onOpen={setOpenKey} />
            </Card>
          </div>
        </PageForm>
        <Stack className={classes.beside}>
          <ProblemSummary problems={problems} onGo={goTo} />
          <SurveyPreview definition={definition} />
        </Stack>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t('publishTitle')}
          message={survey?.published != null ? t('publishNext', { count: survey.responses }) : t('publishFirst')}
          confirmLabel={t('publish')}
          onConfirm={builder.publish}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
