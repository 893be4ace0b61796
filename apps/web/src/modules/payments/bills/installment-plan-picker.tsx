import { Alert, Button, Radio, Stack, Text } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { quoteReRegistration } from '#domain/payments/bills/endpoints.ts'
import { longDate, rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { bringIntoView } from '#web/ui/bring-into-view.ts'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { Money } from '#web/ui/text/money.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './bills.module.css'
import { deadline } from './words.ts'

type Props = {
  registrationId: string
  value: PlanChoice
  onChange: (installmentPlanId: string | null) => void
  disabled?: boolean
  error?: string | undefined
}

/** Id of the chosen plan; null: all at once; undefined: not chosen yet. */
export type PlanChoice = string | null | undefined

const useQuote = (registrationId: string) =>
  useEndpoint(quoteReRegistration, { params: { id: registrationId } }, { staleTime: 60_000 })

/** "All at once" uses the plan with a single instalment if there is one, because its due date differs. */
const singlePlanOf = (quote: Quote | undefined) => quote?.plans.find((plan) => plan.installments.length === 1)
type Quote = NonNullable<ReturnType<typeof useQuote>['data']>['data']

/** Sentence about the chosen plan: its name, and what is paid first and by when. Undefined until one is chosen. */
export function usePlanText(registrationId: string, choice: PlanChoice): string | undefined {
  const { t } = useTranslation('bills')
  const { language } = useSurroundings()
  const quote = useQuote(registrationId).data?.data
  if (quote?.total === 0) return t('plan.nothing')
  if (!quote || choice === undefined) return undefined
  const plan = quote.plans.find(({ id }) => id === choice)
  const [first] = plan?.installments ?? []
  const terms = { total: rupiah(quote.total), due: deadline(first?.dueAt ?? quote.dueAt, language) }
  if (!plan || !first || plan === singlePlanOf(quote)) return `${t('plan.full')}: ${t('plan.fullTerms', terms)}.`
  const count = t('plan.count', { count: plan.installments.length })
  return `${plan.name}, ${count}. ${t('plan.first', { amount: rupiah(first.amount), due: terms.due })}.`
}

const atOnce = 'at-once'

/** Re-registration cost and every plan with due dates, shown before the applicant confirms. */
export function InstallmentPlanPicker({ registrationId, value, onChange, disabled, error: problem }: Props) {
  const { t } = useTranslation(['bills', 'common'])
  const { language } = useSurroundings()
  const { data, error, refetch } = useQuote(registrationId)
  const singlePlan = singlePlanOf(data?.data)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the plans are loaded
  useEffect(() => {
    if (value === null && singlePlan) onChange(singlePlan.id)
  }, [singlePlan?.id])
  if (error && !data)
    return (
      <Alert color="red">
        <Text>{error.message}</Text>
        <Button mt="sm" variant="default" onClick={() => void refetch()}>
          {t('common:actions.retry')}
        </Button>
      </Alert>
    )
  if (!data) return <LoadingRows rows={3} height={72} />
  const { total, lines, dueAt, plans } = data.data
  if (total === 0) return <Text>{t('plan.nothing')}</Text>
  return (
    <Stack gap="md">
      <div>
        <Text fw={650} size="lg">
          {t('plan.total', { total: rupiah(total) })}
        </Text>
        <dl className={classes.lines} aria-label={t('plan.cost')}>
          {lines.map((line, index) => (
            <div className={classes.line} key={index}>
              <dt>{line.description}</dt>
              <dd>
                <Money amount={line.amount} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <Radio.Group
        value={value === null || (singlePlan && value === singlePlan.id) ? atOnce : (value ?? null)}
        error={problem}
        ref={problem ? bringIntoView : undefined}
        onChange={(choice) => onChange(choice === atOnce ? (singlePlan?.id ?? null) : choice)}
        label={t('plan.title')}
        labelProps={{ size: 'md' }}
        name={`plan-${registrationId}`}
      >
        <Stack gap="xs" mt="xs">
          <Radio.Card value={atOnce} className={classes.choice} disabled={disabled}>
            <span className={classes.choiceLine}>
              <Radio.Indicator disabled={disabled} />
              <span>
                <strong>{t('plan.full')}</strong>
                <br />
                {t('plan.fullTerms', {
                  total: rupiah(total),
                  due: deadline(singlePlan?.installments[0]?.dueAt ?? dueAt, language),
                })}
              </span>
            </span>
          </Radio.Card>
          {plans
            .filter((plan) => plan !== singlePlan)
            .map((plan) => (
              <Radio.Card key={plan.id} value={plan.id} className={classes.choice} disabled={disabled}>
                <span className={classes.choiceLine}>
                  <Radio.Indicator disabled={disabled} />
                  <span style={{ flex: 1, minWidth: 0 }}>
                    <strong>{plan.name}</strong> · {t('plan.count', { count: plan.installments.length })}
                    <ol className={classes.schedule}>
                      {plan.installments.map((part) => (
                        <li key={part.position}>
                          <span>{longDate(part.dueAt, language)}</span>
                          <Money amount={part.amount} />
                        </li>
                      ))}
                    </ol>
                  </span>
                </span>
              </Radio.Card>
            ))}
        </Stack>
      </Radio.Group>
    </Stack>
  )
}
