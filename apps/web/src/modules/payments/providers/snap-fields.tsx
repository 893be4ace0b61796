import { Accordion, NumberInput, Radio, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProviderDetail } from '#domain/payments/providers/endpoints.ts'
import {
  bodyForms,
  type SnapSettings,
  snapModes,
  snapSignatures,
  unfittingRules,
} from '#domain/payments/providers/provider-kinds.ts'
import type { Checks } from '#web/api/use-checks.ts'
import { Card } from '#web/ui/card.tsx'
import type { ProviderValues } from './form-values.ts'
import { ProviderSecretField } from './provider-secret-field.tsx'

type SnapProps = {
  provider: ProviderDetail | undefined
  values: ProviderValues
  field: Checks['field']
  set: (changeSnap: Partial<ProviderValues>) => void
}

type Props = SnapProps & { baseUrl: ComponentProps<typeof TextInput> }

type Words = { [K in keyof SnapSettings]: SnapSettings[K] extends string ? K : never }[keyof SnapSettings]

/** SNAP settings agreed between bank and university: calls from the bank, then calls to the bank. */
export function SnapFields({ baseUrl, ...props }: Props) {
  return (
    <>
      <Inbound {...props} />
      <Outbound {...props} baseUrl={baseUrl} />
    </>
  )
}

/** Props that bind an input to a text setting, and a function that changes any setting. */
function useSnap({ values: { snap }, field, set }: SnapProps) {
  const { t } = useTranslation('providers')
  const changeSnap = (part: Partial<SnapSettings>) => set({ snap: { ...snap, ...part } })
  const text = (name: Words & keyof typeof labels) => ({
    size: 'sm',
    label: t(labels[name]),
    value: snap[name],
    ...field(`snap.${name}`),
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => changeSnap({ [name]: event.currentTarget.value }),
  })
  return { snap, changeSnap, text }
}

/** Calls from the bank. */
function Inbound(props: SnapProps) {
  const { t } = useTranslation('providers')
  const { snap, changeSnap, text } = useSnap(props)
  const { field } = props
  const symmetric = snap.inboundSignature === 'symmetric'
  return (
    <Card title={t('inbound')}>
      <Stack gap="md">
        <Radio.Group
          label={t('mode')}
          value={snap.mode}
          onChange={(mode) => changeSnap({ mode: mode as SnapSettings['mode'] })}
        >
          <Stack gap="sm" mt="xs">
            {snapModes.map((mode) => (
              <Radio key={mode} value={mode} label={t(`modes.${mode}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Radio.Group
          label={t('inboundSignature')}
          value={snap.inboundSignature}
          onChange={(signature) => changeSnap({ inboundSignature: signature as SnapSettings['inboundSignature'] })}
        >
          <Stack gap="sm" mt="xs">
            {snapSignatures.map((signature) => (
              <Radio key={signature} value={signature} label={t(`inboundSignatures.${signature}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Textarea {...text('bankPublicKey')} autosize minRows={3} maxRows={8} spellCheck={false} />
        {symmetric && <TextInput {...text('inboundClientKey')} />}
        {symmetric && <Secret name="inboundSecret" {...props} />}
        <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'end' }}>
          <TextInput {...text('inboundPartnerId')} description={t('anyHelp')} />
          <TextInput {...text('inboundChannelId')} description={t('anyHelp')} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            size="sm"
            label={t('bodyForm')}
            data={bodyForms.map((value) => ({ value, label: t(`bodyForms.${value}`) }))}
            value={snap.bodyForm}
            allowDeselect={false}
            onChange={(value) => changeSnap({ bodyForm: value as SnapSettings['bodyForm'] })}
          />
          <Select
            size="sm"
            label={t('signedPath')}
            data={(['full', 'short'] as const).map((value) => ({ value, label: t(`signedPaths.${value}`) }))}
            value={snap.signedPath}
            allowDeselect={false}
            onChange={(value) => changeSnap({ signedPath: value as SnapSettings['signedPath'] })}
          />
          <NumberInput
            size="sm"
            label={t('clockMinutes')}
            value={snap.clockMinutes}
            {...field('snap.clockMinutes')}
            allowDecimal={false}
            onChange={(value) => changeSnap({ clockMinutes: Number(value) })}
          />
          <Select
            size="sm"
            label={t('unfitting')}
            data={unfittingRules.map((value) => ({ value, label: t(`unfittings.${value}`) }))}
            value={snap.unfitting}
            allowDeselect={false}
            onChange={(value) => changeSnap({ unfitting: value as SnapSettings['unfitting'] })}
          />
        </SimpleGrid>
      </Stack>
    </Card>
  )
}

/** Calls to the bank. */
function Outbound({ baseUrl, ...props }: Props) {
  const { t } = useTranslation('providers')
  const { snap, text } = useSnap(props)
  return (
    <Card title={t('outbound')}>
      <Stack gap="md">
        {snap.mode === 'biller' && <Text c="dimmed">{t('outboundHelp')}</Text>}
        <TextInput {...baseUrl} type="url" description={t('baseUrlHelp')} placeholder="https://" />
        <SimpleGrid cols={{ base: 1, sm: 3 }} style={{ alignItems: 'end' }}>
          <TextInput {...text('clientKey')} />
          <TextInput {...text('partnerId')} />
          <TextInput {...text('channelId')} />
        </SimpleGrid>
        <Secret name="clientSecret" {...props} />
        <Secret name="privateKey" {...props} />
        <Paths {...props} />
      </Stack>
    </Card>
  )
}

/** Paths and methods that differ between banks; collapsed at first. */
function Paths(props: SnapProps) {
  const { t } = useTranslation('providers')
  const { snap, changeSnap, text } = useSnap(props)
  return (
    <Accordion variant="contained">
      <Accordion.Item value="paths">
        <Accordion.Control>{t('paths')}</Accordion.Control>
        <Accordion.Panel>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput {...text('tokenPath')} />
            <TextInput {...text('servicePath')} />
            <Select
              size="sm"
              label={t('statusName')}
              data={['status', 'inquiry-status']}
              value={snap.statusName}
              allowDeselect={false}
              onChange={(value) => changeSnap({ statusName: value as SnapSettings['statusName'] })}
            />
            <Select
              size="sm"
              label={t('deleteMethod')}
              data={['DELETE', 'POST']}
              value={snap.deleteMethod}
              allowDeselect={false}
              onChange={(value) => changeSnap({ deleteMethod: value as SnapSettings['deleteMethod'] })}
            />
          </SimpleGrid>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}

type SecretProps = SnapProps & { name: 'inboundSecret' | 'clientSecret' | 'privateKey' }

function Secret({ name, provider, values, field, set }: SecretProps) {
  return (
    <ProviderSecretField
      name={name}
      provider={provider}
      secrets={values.secrets}
      field={field}
      onChange={(secrets) => set({ secrets })}
    />
  )
}

const labels = {
  bankPublicKey: 'bankPublicKey',
  inboundClientKey: 'inboundClientKey',
  inboundPartnerId: 'inboundPartnerId',
  inboundChannelId: 'inboundChannelId',
  clientKey: 'clientKey',
  partnerId: 'partnerId',
  channelId: 'channelId',
  tokenPath: 'tokenPath',
  servicePath: 'servicePath',
} as const
