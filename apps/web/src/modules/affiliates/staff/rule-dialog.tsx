import { NumberInput, Radio, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
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
  const [whom, setWhom] = useState<(typeof wholes)[number]>('ofKind')
  const [kind, setKind] = useState<AffiliateKind>('alumni')
  const [affiliateId, setAffiliateId] = useState<string | null>(null)
  const [stage, setStage] = useState<CommissionStage>('enrolled')
  const [earns, setEarns] = useState<(typeof values)[number]>('fixed')
  const [amount, setAmount] = useState(0)
  const [percent, setPercent] = useState<number | null>(null)
  const [onClose_, setOnClose] = useState<ClosingRule>('refunds')
  const [reason, setReason] = useState('')
  const form = useForm({
    call: createCommissionRule,
    body: {
      affiliateId: whom === 'ofAffiliate' ? affiliateId : null,
      kind: whom === 'ofKind' ? kind : null,
      stage,
      amount: earns === 'fixed' ? amount : null,
      percent: earns === 'share' ? percent : null,
      onClose: onClose_,
      reason: reason.trim(),
    },
    done: t('rules.saved'),
    onDone: onClose,
  })
  return (
    <DialogForm title={t('rules.add')} form={form} submit={t('rules.save')} onClose={onClose}>
      <Text>{t('rules.addText')}</Text>
      <Radio.Group label={t('rules.forWhom')} value={whom} onChange={(next) => setWhom(next as typeof whom)}>
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
          value={kind}
          onChange={(next) => next && setKind(next as AffiliateKind)}
          {...form.field('kind')}
        />
      ) : (
        <ReferenceSelect
          to="afiliator"
          label={t('column.affiliate')}
          value={affiliateId}
          onChange={setAffiliateId}
          {...form.field('affiliateId')}
        />
      )}
      <Select
        label={t('rules.stage')}
        data={commissionStages.map((value) => ({ value, label: t(`stage.${value}`) }))}
        allowDeselect={false}
        value={stage}
        onChange={(next) => next && setStage(next as CommissionStage)}
        {...form.field('stage')}
      />
      <Radio.Group label={t('rules.earns')} value={earns} onChange={(next) => setEarns(next as typeof earns)}>
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
      {earns === 'fixed' && (
        <MoneyInput label={t('rules.amount')} value={amount} onChange={setAmount} {...form.field('amount')} />
      )}
      {earns === 'share' && (
        <NumberInput
          label={t('rules.percent')}
          suffix=" %"
          decimalScale={2}
          decimalSeparator=","
          allowNegative={false}
          hideControls
          value={percent ?? ''}
          onChange={(next) => setPercent(next === '' ? null : Number(next))}
          {...form.field('percent')}
        />
      )}
      <Select
        label={t('rules.onClose')}
        data={closingRules.map((value) => ({ value, label: t(`onClose.${value}`) }))}
        allowDeselect={false}
        value={onClose_}
        onChange={(next) => next && setOnClose(next as ClosingRule)}
        {...form.field('onClose')}
      />
      <ReasonInput
        label={t('rules.reason')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        {...form.field('reason')}
      />
    </DialogForm>
  )
}
