import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Question, SurveyDefinition } from '#domain/surveys/definition.ts'
import { definitionProblems } from '#domain/surveys/definition-problems.ts'
import { createSurvey, publishSurvey, type Survey, saveSurvey } from '#domain/surveys/endpoints.ts'
import { sendOnce } from '#web/api/send.ts'
import { useForm } from '#web/api/use-form.ts'
import { builderPath, resultsPath } from '#web/modules/surveys/paths.ts'
import { useDraft } from '#web/ui/form/draft.tsx'
import { bindingsOf } from '#web/ui/form/use-values.ts'
import { emptyDefinition, tidied } from './draft-changes.ts'

/** `version`: survey version on which the edits are based. Null for a new survey. */
type Values = { name: string; definition: SurveyDefinition; version: number | null }

const valuesOf = (survey: Survey | undefined): Values => ({
  name: survey?.name ?? '',
  definition: survey?.draft ?? emptyDefinition(),
  version: survey?.version ?? null,
})

/** State and actions of the builder. Edits survive leaving the page and a refused save. */
export function useBuilder(survey: Survey | undefined, refetch: () => unknown) {
  const { t } = useTranslation(['survey-builder', 'errors', 'common'])
  const navigate = useNavigate()
  const [values, setValues, draft] = useDraft<Values>(`survey:${survey?.id ?? 'new'}`, valuesOf(survey))
  const [areProblemsShown, setProblemsShown] = useState(false)
  const body = { name: values.name, draft: tidied(values.definition) }

  const form = useForm({
    call: survey ? saveSurvey : createSurvey,
    params: survey && { id: survey.id },
    body: survey ? { ...body, version: values.version ?? survey.version } : body,
    done: t('saved'),
    onDone: ({ data }, sent) => {
      // Edits made during the request stay, based on the version just saved.
      let isWhole = false
      setValues((now) => {
        isWhole = now.name === sent.name && JSON.stringify(tidied(now.definition)) === JSON.stringify(sent.draft)
        return { ...now, version: data.version }
      })
      if (isWhole) draft.clear()
      if (!survey) navigate(builderPath(data.id), { replace: true })
    },
    onRefused: ({ code }) => {
      if (code === 'stale_version') refetch()
    },
  })
  const isStale = form.refusal?.code === 'stale_version' && survey?.version !== values.version

  const sentenceOf = (code: string, params?: Record<string, unknown>) => String(t(`errors:${code}`, params))
  const problems = Object.entries(definitionProblems(body.draft)).map(([field, problem]) => ({
    field: `draft.${field}`,
    sentence: typeof problem === 'string' ? sentenceOf(problem) : sentenceOf(problem.code, problem.params),
  }))
  /**
   * Props for a field: its limits and its error. Once `showProblems` was called, a field without an error shows the
   * problem that prevents publishing.
   */
  const field = (name: string) => {
    const { error, ...props } = form.field(name)
    const found = areProblemsShown ? problems.find((problem) => problem.field === name)?.sentence : undefined
    return { ...props, error: error ?? found }
  }

  const stored = survey && JSON.stringify([survey.name, tidied(survey.draft)])
  const isChanged = stored !== JSON.stringify([values.name, body.draft])
  const setDefinition = (change: Partial<SurveyDefinition>) =>
    setValues((before) => ({ ...before, definition: { ...before.definition, ...change } }))

  return {
    values,
    definition: values.definition,
    questions: values.definition.questions,
    draft,
    form,
    field,
    /** Props for the survey's name, which is not part of the definition. */
    text: bindingsOf({ name: values.name }, (change) => setValues((before) => ({ ...before, ...change })), field).text,
    problems,
    isChanged,
    isStale,
    setDefinition,
    setQuestions: (questions: Question[]) => setDefinition({ questions }),
    startFrom: (name: string, definition: SurveyDefinition) =>
      setValues((before) => ({ ...before, name, definition: structuredClone(definition) })),
    /** Shows problems beside their fields. Returns whether there are none. */
    showProblems: () => {
      setProblemsShown(true)
      return problems.length === 0
    },
    /** Saves edits, then publishes. Rejects if either fails. */
    publish: async () => {
      const saved = isChanged || !survey ? (await form.send()).data : survey
      const { data } = await sendOnce(publishSurvey, { params: { id: saved.id }, body: { version: saved.version } })
      draft.clear()
      notifications.show({ color: 'green', message: t('publishDone') })
      navigate(resultsPath(data.id))
    },
    /** Replaces the edits with the version saved elsewhere. */
    takeTheirs: (theirs: Survey) => {
      setValues(valuesOf(theirs))
      draft.clear()
      form.reset(valuesOf(theirs))
    },
    /** Saves the edits over the version saved elsewhere. */
    keepMine: (theirs: Survey) => {
      setValues((before) => ({ ...before, version: theirs.version }))
      // The form shows the refusal.
      return form.send({ ...body, version: theirs.version }).catch(() => {})
    },
    saveCopy: async () => {
      const name = t('stale.copyName', { name: values.name }).slice(0, 150)
      try {
        const { data } = await sendOnce(createSurvey, { body: { ...body, name } })
        draft.clear()
        navigate(builderPath(data.id))
      } catch (error) {
        notifications.show({ color: 'red', message: (error as Error).message })
      }
    },
  }
}
export type Builder = ReturnType<typeof useBuilder>
