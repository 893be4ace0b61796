import { Button, Checkbox, Group, Radio, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import {
  createProvider,
  listNewProviders,
  listProviders,
  type ProviderDetail,
  readProvider,
  updateProvider,
} from '#domain/payments/provider-endpoints.ts'
import { type ProviderKind, providerKinds, providerSecrets, usualAddresses } from '#domain/payments/provider-kinds.ts'
import type { ApiError } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { Card } from '#web/ui/card.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import { MoneyInput } from '../desk/money-input.tsx'
import { useDeskWords } from '../desk/words.ts'
import { BankFields } from './bank-fields.tsx'
import { bodyOf, type ProviderValues, startOf, withKind } from './form-values.ts'
import { ProviderSecretField } from './provider-secret-field.tsx'
import { SnapFields } from './snap-fields.tsx'

/** Everything a connection consists of; what is wrong stands beside its field. */
export function ProviderForm({ provider }: { provider: ProviderDetail | undefined }) {
  const update = useSend(updateProvider)
  const create = useSend(createProvider)
  const { t } = useTranslation('providers')
  const { t: d } = useDeskWords()
  const { say } = useSurroundings()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [values, setValues] = useState(() => startOf(provider))
  const set = (change: Partial<ProviderValues>) => setValues((before) => ({ ...before, ...change }))
  const [reason, setReason] = useState('')
  const { kind } = values
  const back = provider ? `/settings/providers/${provider.id}/view` : '/settings/providers'

  const body = { ...bodyOf(values), ...(reason.trim() && { reason: reason.trim() }) }
  const sent = provider ? { ...body, version: provider.version } : { ...body, code: values.code.trim(), kind }

  const saving = useMutation<{ data: { approvalId: string | null } }, ApiError>({
    mutationFn: () => {
      return provider
        ? update({ params: { id: provider.id }, body: { ...body, version: provider.version } })
        : create({ body: { ...body, code: values.code.trim(), kind } })
    },
    onSuccess: ({ data }) => {
      notifications.show({ color: 'green', message: data.approvalId ? d('pending.sent') : t('saved') })
      if (provider) void queries.invalidateQueries({ queryKey: keyOf(readProvider, { params: { id: provider.id } }) })
      void queries.invalidateQueries({ queryKey: keyOf(listProviders) })
      void queries.invalidateQueries({ queryKey: keyOf(listNewProviders) })
      navigate(back)
    },
  })
  const checks = useChecks(provider ? updateProvider : createProvider, sent, { refusal: saving.error })
  const { errors } = checks
  const text = (name: 'name' | 'code' | 'baseUrl') => ({
    size: 'sm',
    label: t(name),
    value: values[name],
    ...checks.field(name),
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  })

  return (
    <form
      {...checks.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!saving.isPending && checks.isReady()) saving.mutate()
      }}
    >
      <Stack gap={20} maw={760}>
        <Card title={t('connection')}>
          <Stack gap="md">
            {provider ? (
              <div>
                <Text size="sm" fw={500}>
                  {t('kind')}
                </Text>
                <Text>{t(`kinds.${kind}`)}</Text>
                <Text size="sm" c="dimmed">
                  {t('kindFixed')}
                </Text>
              </div>
            ) : (
              <Radio.Group
                label={t('kind')}
                value={kind}
                onChange={(chosen) => setValues((before) => withKind(before, chosen as ProviderKind))}
              >
                <Stack gap="sm" mt="xs">
                  {providerKinds.map((one) => (
                    <Radio key={one} value={one} label={t(`kinds.${one}`)} description={t(`kindHelp.${one}`)} />
                  ))}
                </Stack>
              </Radio.Group>
            )}
            <TextInput {...text('name')} withAsterisk maxLength={100} />
            <TextInput
              {...text('code')}
              withAsterisk
              maxLength={20}
              description={t('codeHelp')}
              disabled={provider !== undefined}
            />
            <MoneyInput
              size="sm"
              label={t('maximumAmount')}
              description={t('maximumAmountHelp')}
              withAsterisk
              value={values.maximumAmount}
              {...checks.field('maximumAmount')}
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
          <SnapFields provider={provider} values={values} errors={errors} set={set} baseUrl={text('baseUrl')} />
        ) : (
          <Card title={t('address')}>
            <Stack gap="md">
              <Environment values={values} set={set} />
              <TextInput {...text('baseUrl')} type="url" withAsterisk description={t('baseUrlHelp')} />
              {providerSecrets[kind].map((name) => (
                <ProviderSecretField
                  key={name}
                  name={name}
                  provider={provider}
                  secrets={values.secrets}
                  errors={errors}
                  onChange={(secrets) => set({ secrets })}
                />
              ))}
            </Stack>
          </Card>
        )}
        <BankFields kind={kind} banks={values.banks} errors={errors} onChange={(banks) => set({ banks })} />
        <Card>
          <Stack gap="md">
            <Text size="sm">{t('approvalHelp')}</Text>
            <Textarea
              label={d('pending.reason')}
              autosize
              minRows={2}
              maxLength={500}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          </Stack>
        </Card>
        <Failure>{checks.unsaid ?? errors.banks}</Failure>
        <Group>
          <Button type="submit" loading={saving.isPending} children={provider ? t('send') : d('pending.send')} />
          <Button component={Link} to={back} variant="subtle" children={say('actions.cancel')} />
        </Group>
      </Stack>
    </form>
  )
}

type EnvironmentProps = { values: ProviderValues; set: (change: Partial<ProviderValues>) => void }

/** The usual addresses of a gateway, where its trial differs from its real one. */
function Environment({ values: { kind, baseUrl }, set }: EnvironmentProps) {
  const { t } = useTranslation('providers')
  const { trial, real } = usualAddresses[kind]
  if (trial === real) return null
  const chosen = baseUrl === real ? 'real' : baseUrl === trial ? 'trial' : 'other'
  return (
    <div>
      <Text size="sm" fw={500} mb={4} id="environment">
        {t('environment')}
      </Text>
      <SegmentedControl
        aria-labelledby="environment"
        value={chosen}
        onChange={(value) => value !== 'other' && set({ baseUrl: value === 'real' ? real : trial })}
        data={(['trial', 'real', 'other'] as const).map((value) => ({
          value,
          label: t(`environments.${value}`),
          disabled: value === 'other' && chosen !== 'other',
        }))}
      />
    </div>
  )
}
