import { Alert, Button, Radio, Stack, Text } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { quoteReRegistration } from '#domain/payments/bills/endpoints.ts'
import { longDate, rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { Money } from '#web/ui/text/money.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './bills.module.css'
import { deadline } from './words.ts'

type Props = {
  registrationId: string
  /** Id of the chosen plan; null means payment in full. */
  value: string | null
  onChange: (installmentPlanId: string | null) => void
  disabled?: boolean
}

const atOnce = 'at-once'

/** Re-registration cost and every plan with due dates, shown before the applicant confirms. */
export function InstallmentPlanPicker({ registrationId, value, onChange, disabled }: Props) {
  const { t } = useTranslation(['bills', 'common'])
  const { language } = useSurroundings()
  const { data, error, refetch } = useEndpoint(
    quoteReRegistration,
    { params: { id: registrationId } },
    { staleTime: 60_000 },
  )
  // "All at once" uses the plan with a single instalment if there is one, because its due date differs.
  const singlePlan = data?.data.plans.find((plan) => plan.installments.length === 1)
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
        value={value === null || value === singlePlan?.id ? atOnce : value}
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
