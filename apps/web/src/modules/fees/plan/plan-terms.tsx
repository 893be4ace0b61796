import { Button, Group, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { readPlanTerms, type StoredTerm, savePlanTerms } from '#domain/fees/endpoints.ts'
import { shareOf, termProblems } from '#domain/fees/instalment-plan.ts'
import { useEndpoint } from '#web/api/query.ts'
import { boundRows, useForm } from '#web/api/use-form.ts'
import { UnsavedGuard } from '#web/resource/form/unsaved-guard.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import {
  contentOf,
  isEdited,
  type Term,
  termsOf,
  withAnotherTerm,
  withEqualShares,
  withMovedTerm,
} from './edited-terms.ts'
import { PlanPreview } from './plan-preview.tsx'
import classes from './plan-terms.module.css'
import { ShareMeter } from './share-meter.tsx'
import { TermRow } from './term-row.tsx'

/** All terms of an instalment plan, edited and saved together. */
export default function PlanTerms({ id }: { id: string }) {
  const answer = useEndpoint(readPlanTerms, { params: { id } }, { refetchOnWindowFocus: false, staleTime: 0 })
  if (!answer.data) return <LoadingOrFailed error={answer.error} onRetry={answer.refetch} rows={4} height={56} />
  const { terms, offered } = answer.data.data
  return (
    <TermsEditor
      key={terms.map(({ id: of, version }) => `${of}${version}`).join()}
      planId={id}
      stored={terms}
      offered={offered}
      reload={answer.refetch}
    />
  )
}

type EditorProps = { planId: string; stored: StoredTerm[]; offered: boolean; reload: () => unknown }

function TermsEditor({ planId, stored, offered, reload }: EditorProps) {
  const { t } = useTranslation('fees')
  const { may } = useSession()
  const form = useForm({
    call: savePlanTerms,
    params: { id: planId },
    start: { terms: termsOf(stored) },
    body: ({ terms }) => ({ base: stored.map(({ id, version }) => ({ id, version })), terms: terms.map(contentOf) }),
    done: t('terms.saved'),
  })
  const { terms } = form.values
  const change = (next: Term[]) => form.set({ terms: next })
  const rows = boundRows(form, 'terms')
  const dirty = isEdited(terms, stored)
  const mayEdit = may('master-cicilan-update')
  const problems = termProblems(terms)
  const problemAt = (index: number, ...fields: string[]) => {
    const found = problems.find((one) => one.index === index && fields.includes(one.field))
    const serverSentence = fields.map((field) => form.errorOf(`terms.${index}.${field}`)).find(Boolean)
    return found ? t(`terms.problems.${found.code}`) : serverSentence
  }

  return (
    <Card
      title={t('terms.title')}
      actions={
        <StatusDot
          tone={offered && !dirty ? 'done' : 'attention'}
          label={t(offered && !dirty ? 'terms.offered' : dirty ? 'terms.unsaved' : 'terms.notOffered')}
        />
      }
    >
      <UnsavedGuard dirty={dirty && !form.busy} />
      <Stack {...form.form}>
        <ShareMeter terms={terms} />
        <ol className={classes.terms} data-field="terms">
          {terms.map((term, index) => (
            <TermRow
              key={term.key}
              term={term}
              index={index}
              isLast={index === terms.length - 1}
              leftShare={Math.max(10_000 - shareOf(terms), 0)}
              readOnly={!mayEdit}
              problem={(...fields) => problemAt(index, ...fields)}
              onChange={rows[index]!.set}
              onMove={(steps) => change(withMovedTerm(terms, index, steps))}
              onRemove={() => change(terms.toSpliced(index, 1))}
            />
          ))}
        </ol>
        {mayEdit && <GrowButtons terms={terms} onChange={change} />}
        <Failure>{form.errors.terms ?? form.formError}</Failure>
        {form.formError && form.refusal?.code === 'stale_version' && (
          <Group>
            <Button size="xs" variant="default" onClick={() => void reload()}>
              {t('terms.reload')}
            </Button>
          </Group>
        )}
        {mayEdit && (
          <Group gap="sm">
            <Button size="sm" disabled={!dirty} loading={form.busy} onClick={form.submit}>
              {t('terms.save')}
            </Button>
            <Button
              size="sm"
              variant="subtle"
              disabled={!dirty || form.busy}
              onClick={() => form.reset({ terms: termsOf(stored) })}
            >
              {t('discard')}
            </Button>
          </Group>
        )}
        {terms.length > 0 && problems.length === 0 && <PlanPreview terms={terms} />}
      </Stack>
    </Card>
  )
}

type GrowButtonsProps = { terms: readonly Term[]; onChange: (terms: Term[]) => void }

function GrowButtons({ terms, onChange }: GrowButtonsProps) {
  const { t } = useTranslation('fees')
  return (
    <Group gap="sm">
      <Button
        size="sm"
        variant="default"
        leftSection={<IconPlus size={18} aria-hidden="true" />}
        disabled={terms.length >= 60}
        onClick={() => onChange(withAnotherTerm(terms))}
      >
        {t('terms.add')}
      </Button>
      {terms.filter(({ amount }) => amount === null).length > 1 && (
        <Button size="sm" variant="subtle" onClick={() => onChange(withEqualShares(terms))}>
          {t('terms.spread')}
        </Button>
      )}
    </Group>
  )
}
