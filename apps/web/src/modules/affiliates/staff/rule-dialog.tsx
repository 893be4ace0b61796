import { NumberInput, Radio, Select, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type AffiliateKind, affiliateKinds } from '#domain/affiliates/affiliates.ts'
import {
  type ClosingRule,
  type CommissionStage,
  closingRules,
  commissionStages,
} from '#domain/affiliates/commission.ts'
import { createCommissionRule } from '#domain/affiliates/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { ReferenceSelect } from '#web/resource/form/reference-select.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { MoneyInput } from '#web/ui/form/money-input.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'

const wholes = ['ofKind', 'ofAffiliate'] as const
const values = ['fixed', 'share', 'nothing'] as const

/** Writes a new version of a rule, which another person must approve. */
export function RuleDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('affiliates')
  const form = useForm({
    call: createCommissionRule,
    start: {
      whom: 'ofKind' as (typeof wholes)[number],
      kind: 'alumni' as AffiliateKind,
      affiliateId: null as string | null,
      stage: 'enrolled' as CommissionStage,
      earns: 'fixed' as (typeof values)[number],
      amount: 0,
      percent: null as number | null,
      onClose: 'refunds' as ClosingRule,
      reason: '',
    },
    body: ({ whom, earns, ...rule }) => ({
      ...rule,
      affiliateId: whom === 'ofAffiliate' ? rule.affiliateId : null,
      kind: whom === 'ofKind' ? rule.kind : null,
      amount: earns === 'fixed' ? rule.amount : null,
      percent: earns === 'share' ? rule.percent : null,
      reason: rule.reason.trim(),
    }),
    done: t('rules.saved'),
    onDone: onClose,
  })
  const { whom, stage, earns } = form.values
  return (
    <DialogForm title={t('rules.add')} form={form} submit={t('rules.save')} onClose={onClose}>
      <Text>{t('rules.addText')}</Text>
      <Radio.Group label={t('rules.forWhom')} {...form.value('whom')}>
        <Stack gap="xs" mt="xs">
          {wholes.map((value) => (
            <Radio key={value} value={value} label={t(`rules.${value}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {whom === 'ofKind' ? (
        <Select
          label={t('column.kind')}
          data={affiliateKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
          allowDeselect={false}
          {...form.choice('kind')}
        />
      ) : (
        <ReferenceSelect to="afiliator" label={t('column.affiliate')} {...form.value('affiliateId')} />
      )}
      <Select
        label={t('rules.stage')}
        data={commissionStages.map((value) => ({ value, label: t(`stage.${value}`) }))}
        allowDeselect={false}
        {...form.choice('stage')}
      />
      <Radio.Group label={t('rules.earns')} {...form.value('earns')}>
        <Stack gap="xs" mt="xs">
          {values.map((value) => (
            <Radio
              key={value}
              value={value}
              label={t(`rules.${value}`)}
              disabled={value === 'share' && stage === 'submitted'}
            />
          ))}
        </Stack>
      </Radio.Group>
      {earns === 'fixed' && <MoneyInput label={t('rules.amount')} {...form.value('amount')} />}
      {earns === 'share' && (
        <NumberInput
          label={t('rules.percent')}
          suffix=" %"
          decimalScale={2}
          decimalSeparator=","
          allowNegative={false}
          hideControls
          {...form.number('percent')}
        />
      )}
      <Select
        label={t('rules.onClose')}
        data={closingRules.map((value) => ({ value, label: t(`onClose.${value}`) }))}
        allowDeselect={false}
        {...form.choice('onClose')}
      />
      <ReasonInput label={t('rules.reason')} {...form.text('reason')} />
    </DialogForm>
  )
}
