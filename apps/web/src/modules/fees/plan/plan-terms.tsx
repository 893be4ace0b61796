import { Alert, Button, Group, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { readPlanTerms, type StoredTerm, savePlanTerms } from '#domain/fees/endpoints.ts'
import { isWholePlan, shareOf, termProblems } from '#domain/fees/instalment-plan.ts'
import type { ApiError } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { UnsavedGuard } from '#web/resource/form/unsaved-guard.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { PlanPreview } from './plan-preview.tsx'
import classes from './plan-terms.module.css'
import { ShareMeter } from './share-meter.tsx'
import { TermRow } from './term-row.tsx'
import { type Term, useTerms } from './use-terms.ts'

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
      reload={() => answer.refetch()}
    />
  )
}

type EditorProps = { planId: string; stored: StoredTerm[]; offered: boolean; reload: () => Promise<unknown> }

function TermsEditor({ planId, stored, offered, reload }: EditorProps) {
  const { t } = useTranslation('fees')
  const { may } = useSession()
  const queries = useQueryClient()
  const plan = useTerms(stored)
  const { terms, dirty } = plan
  const mayEdit = may('master-cicilan-update')
  const problems = termProblems(terms)

  const body = { base: stored.map(({ id, version }) => ({ id, version })), terms: plan.contents }
  const save = useMutation<unknown, ApiError>({
    mutationFn: () => sendOnce(savePlanTerms, { params: { id: planId }, body }),
    onSuccess: async () => {
      notifications.show({ message: t('terms.saved'), color: 'green' })
      await reload()
      void queries.invalidateQueries({
        predicate: ({ queryKey: [path] }) => String(path).startsWith('/master/cicilan'),
      })
    },
  })
  const checks = useChecks(savePlanTerms, body, { refusal: save.error })
  const problemAt = (index: number, ...fields: string[]) => {
    const found = problems.find((one) => one.index === index && fields.includes(one.field))
    const serverSentence = fields.map((field) => checks.errorOf(`terms.${index}.${field}`)).find(Boolean)
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
      <UnsavedGuard dirty={dirty && !save.isPending} />
      <Stack {...checks.form}>
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
              onChange={(next) => plan.change(index, next)}
              onMove={(steps) => plan.move(index, steps)}
              onRemove={() => plan.remove(index)}
            />
          ))}
        </ol>
        {mayEdit && <GrowButtons terms={terms} onAdd={plan.add} onSpread={plan.spreadEqually} />}
        {!save.error && <Failure>{checks.errors.terms}</Failure>}
        {save.error && (
          <Alert color="red" variant="light" role="alert">
            {checks.errors.terms ?? checks.unsaid ?? save.error.message}
            {save.error.code === 'stale_version' && (
              <Button size="xs" variant="default" mt="xs" display="block" onClick={() => void reload()}>
                {t('terms.reload')}
              </Button>
            )}
          </Alert>
        )}
        {mayEdit && (
          <Group gap="sm">
            <Button
              size="sm"
              disabled={!dirty}
              loading={save.isPending}
              onClick={() => checks.isReady() && save.mutate()}
            >
              {t('terms.save')}
            </Button>
            <Button
              size="sm"
              variant="subtle"
              disabled={!dirty || save.isPending}
              onClick={() => {
                plan.discard()
                save.reset()
              }}
            >
              {t('discard')}
            </Button>
          </Group>
        )}
        {isWholePlan(terms) && problems.length === 0 && <PlanPreview terms={terms} />}
      </Stack>
    </Card>
  )
}

type GrowButtonsProps = { terms: readonly Term[]; onAdd: () => void; onSpread: () => void }

function GrowButtons({ terms, onAdd, onSpread }: GrowButtonsProps) {
  const { t } = useTranslation('fees')
  return (
    <Group gap="sm">
      <Button
        size="sm"
        variant="default"
        leftSection={<IconPlus size={18} aria-hidden="true" />}
        disabled={terms.length >= 60}
        onClick={onAdd}
      >
        {t('terms.add')}
      </Button>
      {terms.filter(({ amount }) => amount === null).length > 1 && (
        <Button size="sm" variant="subtle" onClick={onSpread}>
          {t('terms.spread')}
        </Button>
      )}
    </Group>
  )
}
