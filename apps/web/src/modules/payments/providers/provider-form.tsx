import { Button, Checkbox, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { createProvider, type ProviderDetail, updateProvider } from '#domain/payments/providers/endpoints.ts'
import { providerKinds, providerSecrets, usualAddresses } from '#domain/payments/providers/provider-kinds.ts'
import { useForm } from '#web/api/use-form.ts'
import { useApprovalWords } from '#web/modules/payments/approvals/words.ts'
import { useGoBack, useWayBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { FixedChoice } from '#web/ui/form/fixed-choice.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { MoneyInput } from '#web/ui/form/money-input.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { BankFields } from './bank-fields.tsx'
import { bodyOf, type ProviderValues, startOf, withKind } from './form-values.ts'
import { ProviderSecretField } from './provider-secret-field.tsx'
import { SnapFields } from './snap-fields.tsx'

export function ProviderForm({ provider }: { provider: ProviderDetail | undefined }) {
  const { t } = useTranslation('providers')
  const { t: d } = useApprovalWords()
  const { say } = useSurroundings()
  const goBack = useGoBack()
  const wayBack = useWayBack()
  const [values, setValues] = useState(() => startOf(provider))
  const set = (change: Partial<ProviderValues>) => setValues((previous) => ({ ...previous, ...change }))
  const [reason, setReason] = useState('')
  const { kind } = values
  const listPath = provider ? `/settings/providers/${provider.id}/view` : '/settings/providers'

  const body = { ...bodyOf(values), ...(reason.trim() && { reason: reason.trim() }) }
  const form = useForm({
    call: provider ? updateProvider : createProvider,
    params: provider && { id: provider.id },
    body: { ...body, ...(provider ? { version: provider.version } : { code: values.code.trim(), kind }) },
    done: ({ data }) => (data.approvalId ? d('pending.sent') : t('saved')),
    onDone: () => goBack(listPath),
  })
  const text = (name: 'name' | 'code' | 'baseUrl') => ({
    size: 'sm',
    label: t(name),
    value: values[name],
    ...form.field(name),
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  })

  return (
    <PageForm
      form={{ ...form, formError: form.formError ?? form.errors.banks ?? null }}
      submit={provider ? t('send') : d('pending.send')}
      gap={20}
      maw={760}
      beside={<Button component={Link} {...wayBack(listPath)} variant="subtle" children={say('actions.cancel')} />}
    >
      <Card title={t('connection')}>
        <Stack gap="md">
          <FixedChoice
            label={t('kind')}
            value={kind}
            choices={providerKinds.map((providerKind) => ({
              value: providerKind,
              label: t(`kinds.${providerKind}`),
              description: t(`kindHelp.${providerKind}`),
            }))}
            fixed={provider && t('kindFixed')}
            onChange={(newKind) => setValues((previous) => withKind(previous, newKind))}
          />
          <TextInput {...text('name')} description={t('nameHelp')} />
          <TextInput {...text('code')} withAsterisk description={t('codeHelp')} disabled={provider !== undefined} />
          <MoneyInput
            size="sm"
            label={t('maximumAmount')}
            description={t('maximumAmountHelp')}
            value={values.maximumAmount}
            {...form.field('maximumAmount')}
            onChange={(maximumAmount) => set({ maximumAmount })}
          />
          <Checkbox
            label={t('active')}
            description={t('activeHelp')}
            checked={values.active}
            onChange={(event) => set({ active: event.currentTarget.checked })}
          />
        </Stack>
      </Card>
      {kind === 'snap' ? (
        <SnapFields provider={provider} values={values} field={form.field} set={set} baseUrl={text('baseUrl')} />
      ) : (
        <GatewayFields provider={provider} values={values} field={form.field} set={set} baseUrl={text('baseUrl')} />
      )}
      <BankFields kind={kind} banks={values.banks} field={form.field} onChange={(banks) => set({ banks })} />
      <Card>
        <Stack gap="md">
          <Text size="sm">{t('approvalHelp')}</Text>
          <Textarea
            label={d('pending.reason')}
            autosize
            minRows={2}
            value={reason}
            {...form.field('reason')}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </Stack>
      </Card>
    </PageForm>
  )
}

type GatewayProps = ComponentProps<typeof SnapFields>

/** Address and secrets of a gateway. */
function GatewayFields({ provider, values, field, set, baseUrl }: GatewayProps) {
  const { t } = useTranslation('providers')
  return (
    <Card title={t('address')}>
      <Stack gap="md">
        <Environment values={values} set={set} />
        <TextInput {...baseUrl} type="url" withAsterisk description={t('baseUrlHelp')} />
        {providerSecrets[values.kind].map((name) => (
          <ProviderSecretField
            key={name}
            name={name}
            provider={provider}
            secrets={values.secrets}
            field={field}
            onChange={(secrets) => set({ secrets })}
          />
        ))}
      </Stack>
    </Card>
  )
}

type EnvironmentProps = { values: ProviderValues; set: (change: Partial<ProviderValues>) => void }

/** Test or live address of a gateway, if it has both. */
function Environment({ values: { kind, baseUrl }, set }: EnvironmentProps) {
  const { t } = useTranslation('providers')
  const { trial, real } = usualAddresses[kind]
  if (trial === real) return null
  const environment = baseUrl === real ? 'real' : baseUrl === trial ? 'trial' : 'other'
  return (
    <div>
      <Text size="sm" fw={500} mb={4} id="environment">
        {t('environment')}
      </Text>
      <SegmentedControl
        aria-labelledby="environment"
        value={environment}
        onChange={(value) => value !== 'other' && set({ baseUrl: value === 'real' ? real : trial })}
        data={(['trial', 'real', 'other'] as const).map((value) => ({
          value,
          label: t(`environments.${value}`),
          disabled: value === 'other' && environment !== 'other',
        }))}
      />
    </div>
  )
}
