import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readPlanTerms, type StoredTerm, savePlanTerms } from '#domain/fees/endpoints.ts'
import { isWholePlan, shareOf, termProblems } from '#domain/fees/instalment-plan.ts'
import { percent } from '#locales/format.ts'
import type { ApiError } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { UnsavedGuard } from '#web/resource/form/unsaved-guard.tsx'
import { useSession } from '#web/shell/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { PlanPreview } from './plan-preview.tsx'
import classes from './plan-terms.module.css'
import { type Term, TermRow } from './term-row.tsx'

const contentOf = ({ id, shareBps, amount, dueDate, dueDays }: Term) => ({
  ...(id && { id }),
  shareBps,
  amount,
  dueDate,
  dueDays,
})

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
  const [terms, setTerms] = useState<Term[]>(() => stored.map((term) => ({ ...term, key: term.id })))
  const mayEdit = may('master-cicilan-update')
  const share = shareOf(terms)
  const fixedOnly = terms.length > 0 && terms.every(({ shareBps, amount }) => shareBps === null && amount !== null)
  const isWhole = isWholePlan(terms)
  const problems = termProblems(terms)
  const dirty =
    JSON.stringify(terms.map(contentOf)) !== JSON.stringify(stored.map((term) => contentOf({ ...term, key: '' })))

  const body = { base: stored.map(({ id, version }) => ({ id, version })), terms: terms.map(contentOf) }
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
  const change = (index: number, next: Partial<Term>) =>
    setTerms((before) => before.map((term, termIndex) => (termIndex === index ? { ...term, ...next } : term)))
  const move = (index: number, steps: number) =>
    setTerms((before) => {
      const after = [...before]
      const [term] = after.splice(index, 1)
      after.splice(index + steps, 0, term!)
      return after
    })
  const add = () =>
    setTerms((before) => {
      const last = before.at(-1)
      const remainingBps = 10_000 - shareOf(before)
      return [
        ...before,
        {
          key: crypto.randomUUID(),
          shareBps: remainingBps > 0 ? remainingBps : null,
          amount: null,
          dueDate: null,
          dueDays: last ? (last.dueDays ?? 0) + 30 : 7,
        },
      ]
    })
  /** Divides the shares equally; the first term takes the remainder. */
  const spreadEqually = () =>
    setTerms((before) => {
      const shared = before.filter(({ amount }) => amount === null).length
      const equalBps = Math.floor(10_000 / shared / 100) * 100 || Math.floor(10_000 / shared)
      let firstBps = 10_000 - equalBps * (shared - 1)
      return before.map((term) => {
        if (term.amount !== null) return term
        const shareBps = firstBps || equalBps
        firstBps = 0
        return { ...term, shareBps: shareBps }
      })
    })
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
        <ShareMeter share={share} whole={isWhole} fixedOnly={fixedOnly} empty={terms.length === 0} />
        <ol className={classes.terms} data-field="terms">
          {terms.map((term, index) => (
            <TermRow
              key={term.key}
              term={term}
              index={index}
              isLast={index === terms.length - 1}
              leftShare={Math.max(10_000 - share, 0)}
              readOnly={!mayEdit}
              problem={(...fields) => problemAt(index, ...fields)}
              onChange={(next) => change(index, next)}
              onMove={(steps) => move(index, steps)}
              onRemove={() => setTerms((before) => before.filter((_, termIndex) => termIndex !== index))}
            />
          ))}
        </ol>
        {mayEdit && (
          <Group gap="sm">
            <Button
              size="sm"
              variant="default"
              leftSection={<IconPlus size={18} aria-hidden="true" />}
              disabled={terms.length >= 60}
              onClick={add}
            >
              {t('terms.add')}
            </Button>
            {terms.filter(({ amount }) => amount === null).length > 1 && (
              <Button size="sm" variant="subtle" onClick={spreadEqually}>
                {t('terms.spread')}
              </Button>
            )}
          </Group>
        )}
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
                setTerms(stored.map((term) => ({ ...term, key: term.id })))
                save.reset()
              }}
            >
              {t('discard')}
            </Button>
          </Group>
        )}
        {isWhole && problems.length === 0 && <PlanPreview terms={terms} />}
      </Stack>
    </Card>
  )
}

/** Shows the sum of the shares, and how much is missing or too much. */
function ShareMeter({
  share,
  whole: isWhole,
  fixedOnly,
  empty,
}: {
  share: number
  whole: boolean
  fixedOnly: boolean
  empty: boolean
}) {
  const { t } = useTranslation('fees')
  const text = empty
    ? t('terms.meterEmpty')
    : fixedOnly
      ? t('terms.meterFixed')
      : share === 10_000
        ? t('terms.meterWhole')
        : share < 10_000
          ? t('terms.meterMissing', { share: percent(share / 10_000), missing: percent((10_000 - share) / 10_000) })
          : t('terms.meterTooMuch', { share: percent(share / 10_000), over: percent((share - 10_000) / 10_000) })
  return (
    <div>
      {!fixedOnly && (
        <Progress
          value={Math.min(share / 100, 100)}
          color={isWhole ? 'green' : share > 10_000 ? 'red' : 'orange'}
          size="lg"
          aria-label={t('terms.meter')}
        />
      )}
      <Text size="sm" mt={6} role="status" aria-live="polite" fw={isWhole ? 400 : 600}>
        {text}
      </Text>
    </div>
  )
}
