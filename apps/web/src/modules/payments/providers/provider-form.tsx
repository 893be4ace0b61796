import { Button, Checkbox, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
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
import { bodyOf, type ProviderBindings, startOf, withKind } from './form-values.ts'
import { ProviderSecretField } from './provider-secret-field.tsx'
import { SnapFields } from './snap-fields.tsx'

export function ProviderForm({ provider }: { provider: ProviderDetail | undefined }) {
  const { t } = useTranslation('providers')
  const { t: d } = useApprovalWords()
  const { say } = useSurroundings()
  const goBack = useGoBack()
  const wayBack = useWayBack()
  const listPath = provider ? `/settings/providers/${provider.id}/view` : '/settings/providers'
  const form = useForm({
    call: provider ? updateProvider : createProvider,
    params: provider && { id: provider.id },
    start: () => startOf(provider),
    body: (values) => ({
      ...bodyOf(values),
      ...(provider ? { version: provider.version } : { code: values.code.trim(), kind: values.kind }),
    }),
    done: ({ data }) => (data.approvalId ? d('pending.sent') : t('saved')),
    onDone: () => goBack(listPath),
  })
  const { kind, banks } = form.values

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
            onChange={(newKind) => form.set(withKind(form.values, newKind))}
          />
          <TextInput
            size="sm"
            label={t('name')}
            description={t('nameHelp')}
            autoComplete="off"
            {...form.text('name')}
          />
          <TextInput
            size="sm"
            label={t('code')}
            description={t('codeHelp')}
            autoComplete="off"
            disabled={provider !== undefined}
            {...form.text('code')}
            withAsterisk
          />
          <MoneyInput
            size="sm"
            label={t('maximumAmount')}
            description={t('maximumAmountHelp')}
            {...form.value('maximumAmount')}
          />
          <Checkbox label={t('active')} description={t('activeHelp')} {...form.box('active')} />
        </Stack>
      </Card>
      {kind === 'snap' ? (
        <SnapFields provider={provider} form={form} />
      ) : (
        <GatewayFields provider={provider} form={form} />
      )}
      <BankFields kind={kind} banks={banks} field={form.field} onChange={(changed) => form.set({ banks: changed })} />
      <Card>
        <Stack gap="md">
          <Text size="sm">{t('approvalHelp')}</Text>
          <Textarea label={d('pending.reason')} autosize minRows={2} {...form.text('reason')} />
        </Stack>
      </Card>
    </PageForm>
  )
}

type GatewayProps = { provider: ProviderDetail | undefined; form: ProviderBindings }

/** Address and secrets of a gateway. */
function GatewayFields({ provider, form }: GatewayProps) {
  const { t } = useTranslation('providers')
  return (
    <Card title={t('address')}>
      <Stack gap="md">
        <Environment form={form} />
        <TextInput
          size="sm"
          label={t('baseUrl')}
          type="url"
          description={t('baseUrlHelp')}
          autoComplete="off"
          {...form.text('baseUrl')}
          withAsterisk
        />
        {providerSecrets[form.values.kind].map((name) => (
          <ProviderSecretField key={name} name={name} provider={provider} form={form} />
        ))}
      </Stack>
    </Card>
  )
}

/** Test or live address of a gateway, if it has both. */
function Environment({ form }: Pick<GatewayProps, 'form'>) {
  const { t } = useTranslation('providers')
  const { kind, baseUrl } = form.values
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
        onChange={(value) => value !== 'other' && form.set({ baseUrl: value === 'real' ? real : trial })}
        data={(['trial', 'real', 'other'] as const).map((value) => ({
          value,
          label: t(`environments.${value}`),
          disabled: value === 'other' && environment !== 'other',
        }))}
      />
    </div>
  )
}
